import type { Clock } from '../../base/clock.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import type { Member } from '../../http/route.ts'
import type { KeyRegistry, ShownKey } from '../../keys/key-registry.ts'
import { defaultLimits, type LimitSettings } from '../../limits/limit-settings.ts'
import type { Limiter, LimitUse, UsageSnapshot } from '../../limits/limiter.ts'
import type { Store } from '../../store/contract.ts'
import type { Limits } from '../../store/ledger-contract.ts'
import { limitNames } from '../../store/limit-names.ts'

export type LimitRooms = {
  limiter: Pick<Limiter, 'usageSnapshots'>
  keys: Pick<KeyRegistry, 'list'>
  store: { organisations: Pick<Store['organisations'], 'limits'> }
  clock: Clock
} & LimitSettings

/**
 * Where a limit was set: for every organisation, by the owner of the server for this one, or on the key. `servers_own`: the
 * default of other organisations is not for this one.
 */
type SetBy = 'settings' | 'servers_own' | 'owner' | 'key'

/** `GET /platform/limits`: use against each limit that counts for the organisation, and where it was set. */
export const createShowLimits =
  (rooms: LimitRooms) =>
  async (exchange: Exchange, { organisationId, isOwner }: Member): Promise<void> => {
    const { limiter, keys, store, clock, timeZone } = rooms
    const [snapshots, given, listed] = await Promise.all([
      limiter.usageSnapshots(organisationId, null),
      store.organisations.limits(organisationId),
      keys.list({ organisationId }),
    ])
    const live = listed.filter(({ state }) => state === 'active').reverse()
    const limited = live.filter(({ limits }) => limitNames.some((name) => limits[name]))
    const setBy = (name: keyof Limits): SetBy => {
      if ((given?.limits[name] ?? null) !== null) return 'owner'
      return (given?.isServerOrganisation ?? false) && isLifted(name, rooms) ? 'servers_own' : 'settings'
    }
    const { uses } = ofScope(snapshots, 'organisation')
    sendJson(exchange, 200, {
      now: clock.now(),
      timeZone,
      organisation: limitNames.map((name) => ({ name, setBy: setBy(name), ...(uses[name] ?? none) })),
      server: serverJson(ofScope(snapshots, 'server'), isOwner),
      keys: await Promise.all(
        limited.map(async (key) => keyJson(key, await limiter.usageSnapshots(organisationId, key))),
      ),
      unlimitedKeys: live.length - limited.length,
    })
  }

/** Another organisation would have a limit here. */
const isLifted = (name: keyof Limits, settings: LimitSettings): boolean =>
  defaultLimits(true, settings)[name] === null && defaultLimits(false, settings)[name] !== null

const none = { limit: null, used: null, resetsAt: null }

const ofScope = (snapshots: readonly UsageSnapshot[], wanted: UsageSnapshot['scope']): UsageSnapshot =>
  snapshots.find(({ scope }) => scope === wanted) ?? { scope: wanted, uses: {} }

type Shown = { name: keyof Limits; setBy: SetBy } & Omit<LimitUse, 'used'> & { used: number | null }

const setUses = ({ uses }: UsageSnapshot, setBy: SetBy): Shown[] =>
  limitNames.flatMap((name) => {
    const use = uses[name]
    return use === undefined ? [] : [{ name, setBy, ...use }]
  })

/** How much others use of the server is not a member's affair; that there is a limit is. */
const serverJson = (snapshot: UsageSnapshot, isOwner: boolean): Shown[] =>
  setUses(snapshot, 'settings').map((use) => (isOwner ? use : { ...use, used: null, resetsAt: null }))

const keyJson = ({ id, name, prefix, lastFour }: ShownKey, snapshots: readonly UsageSnapshot[]) => ({
  id,
  name,
  prefix,
  lastFour,
  limits: setUses(ofScope(snapshots, 'key'), 'key'),
})
