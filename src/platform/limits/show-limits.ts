import type { Clock } from '../../base/clock.ts'
import type { KeyRegistry, ShownKey } from '../../keys/key-registry.ts'
import { defaultLimits, type LimitSettings } from '../../limits/limit-settings.ts'
import type { Limiter, UsageSnapshot } from '../../limits/limiter-contract.ts'
import type { Member } from '../../operations/callers.ts'
import type { Store } from '../../store/contract.ts'
import { limitNames } from '../../store/limit-names.ts'
import type { LimitName, LimitsShown, ShownLimit } from '../contract/limits.ts'

export type ShowLimitsDependencies = {
  organisations: Pick<Store['organisations'], 'limits'>
  limiter: Pick<Limiter, 'usageSnapshots'>
  keys: Pick<KeyRegistry, 'list'>
  clock: Clock
  settings: LimitSettings
}

type SetBy = ShownLimit['setBy']

/** Usage against each limit that applies to the organisation, and where the limit was set. */
export const showLimits = async (
  { organisationId, isOwner }: Member,
  { organisations, limiter, keys, clock, settings }: ShowLimitsDependencies,
): Promise<LimitsShown> => {
  const [snapshots, given, listed] = await Promise.all([
    limiter.usageSnapshots(organisationId, null),
    organisations.limits(organisationId),
    keys.list({ organisationId }),
  ])
  const live = listed.filter(({ state }) => state === 'active').reverse()
  const limited = live.filter(({ limits }) => limitNames.some((name) => limits[name]))
  const setBy = (name: LimitName): SetBy => {
    if ((given?.limits[name] ?? null) !== null) return 'owner'
    return (given?.isServerOrganisation ?? false) && isLifted(name, settings) ? 'servers_own' : 'settings'
  }
  const { uses } = ofScope(snapshots, 'organisation')
  return {
    now: clock.now(),
    timeZone: settings.timeZone,
    organisation: limitNames.map((name) => ({ name, setBy: setBy(name), ...(uses[name] ?? none) })),
    server: serverLimits(ofScope(snapshots, 'server'), isOwner),
    keys: await Promise.all(
      limited.map(async (key) => limitedKey(key, await limiter.usageSnapshots(organisationId, key))),
    ),
    unlimitedKeys: live.length - limited.length,
  }
}

/** Another organisation would have a limit here. */
const isLifted = (name: LimitName, settings: LimitSettings): boolean =>
  defaultLimits(true, settings)[name] === null && defaultLimits(false, settings)[name] !== null

const none = { limit: null, used: null, resetsAt: null }

const ofScope = (snapshots: readonly UsageSnapshot[], wanted: UsageSnapshot['scope']): UsageSnapshot =>
  snapshots.find(({ scope }) => scope === wanted) ?? { scope: wanted, uses: {} }

const setLimits = ({ uses }: UsageSnapshot, setBy: SetBy): ShownLimit[] =>
  limitNames.flatMap((name) => {
    const use = uses[name]
    return use === undefined ? [] : [{ name, setBy, ...use }]
  })

/** Members see that the server has a limit, but not how much of it others use. */
const serverLimits = (snapshot: UsageSnapshot, isOwner: boolean): ShownLimit[] =>
  setLimits(snapshot, 'settings').map((use) => (isOwner ? use : { ...use, used: null, resetsAt: null }))

const limitedKey = ({ id, name, prefix, lastFour }: ShownKey, snapshots: readonly UsageSnapshot[]) => ({
  id,
  name,
  prefix,
  lastFour,
  limits: setLimits(ofScope(snapshots, 'key'), 'key'),
})
