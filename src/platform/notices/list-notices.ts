import type { Clock } from '../../base/clock.ts'
import { budgetNames } from '../../config/limit-kinds.ts'
import type { KeyRegistry, ShownKey } from '../../keys/key-registry.ts'
import type { Limiter, UsageSnapshot } from '../../limits/limiter-contract.ts'
import type { Models } from '../../models/contract.ts'
import type { Member } from '../../operations/callers.ts'
import type { UpstreamRegistry } from '../../upstreams/upstream-registry.ts'
import type { Notice } from '../contract/notices.ts'

export type ListNoticesDependencies = {
  keys: Pick<KeyRegistry, 'list'>
  limiter: Pick<Limiter, 'usageSnapshots'>
  models: Pick<Models, 'list'>
  upstreams: Pick<UpstreamRegistry, 'list'>
  clock: Clock
  hasConfigChanged(): Promise<boolean>
}

const thresholds = [100, 80]
const expirySpanMs = 7 * 86_400_000
/** However many keys there are. */
const maxKeys = 200

/**
 * What the members of an organisation should know now, the most urgent first: a page shows only a few. Read from the current
 * state, nothing of it is stored.
 */
export const listNotices = async (
  { organisationId, isOwner }: Member,
  { keys, limiter, models, upstreams, clock, hasConfigChanged }: ListNoticesDependencies,
): Promise<Notice[]> => {
  const now = clock.now()
  const active = (await keys.list({ organisationId })).filter(({ state }) => state === 'active')
  const budgeted = active.filter(({ limits }) => budgetNames.some((name) => limits[name] !== null)).slice(0, maxKeys)
  const ofOrganisation = await limiter.usageSnapshots(organisationId, null)
  const ofKeys = await Promise.all(
    budgeted.map(async (key) => budgetNotices(await limiter.usageSnapshots(organisationId, key), 'key', key)),
  )
  const all = [
    ...budgetNotices(ofOrganisation, 'organisation', null),
    ...ofKeys.flat(),
    ...expiring(active, now).slice(0, maxKeys),
    ...models
      .list()
      .filter((pool) => pool.status().state === 'failed')
      .map(({ model }) => ({ ...nothing, id: `engine ${model.id}`, kind: 'engine' as const, subject: model.id })),
    ...(isOwner ? await ofServer(upstreams, hasConfigChanged) : []),
  ]
  return all.toSorted((one, other) => urgency(one) - urgency(other))
}

/** Requests fail now; they fail because a budget is used up; they will. */
const urgency = ({ kind, percent }: Notice): number => {
  if (kind === 'engine') return 0
  return percent !== null && percent >= 100 ? 1 : 2
}

const nothing = {
  subject: null,
  keyId: null,
  isUpstream: false,
  limit: null,
  percent: null,
  used: null,
  max: null,
  at: null,
}

const budgetNotices = (
  snapshots: readonly UsageSnapshot[],
  wanted: UsageSnapshot['scope'],
  key: Pick<ShownKey, 'id' | 'name'> | null,
): Notice[] => {
  const uses = snapshots.find(({ scope }) => scope === wanted)?.uses ?? {}
  // Per-minute limits recover too quickly to be worth a notice.
  return budgetNames.flatMap((limit) => {
    const use = uses[limit]
    const percent = use === undefined || use.limit === 0 ? 0 : Math.floor((use.used / use.limit) * 100)
    const threshold = thresholds.find((least) => percent >= least)
    if (use === undefined || threshold === undefined) return []
    const id = `budget ${key?.id ?? ''} ${limit} ${threshold} ${use.resetsAt}`
    const about = { subject: key?.name ?? null, keyId: key?.id ?? null }
    return [
      {
        ...nothing,
        ...about,
        id,
        kind: 'budget' as const,
        limit,
        percent,
        used: use.used,
        max: use.limit,
        at: use.resetsAt,
      },
    ]
  })
}

const expiring = (keys: readonly ShownKey[], now: number): Notice[] =>
  keys.flatMap(({ id, name, expiresAt }) =>
    expiresAt === null || expiresAt > now + expirySpanMs
      ? []
      : [{ ...nothing, id: `expiry ${id} ${expiresAt}`, kind: 'expiry', subject: name, keyId: id, at: expiresAt }],
  )

/** Only for the owner of the server: nobody else can act on them. */
const ofServer = async (
  upstreams: ListNoticesDependencies['upstreams'],
  hasConfigChanged: () => Promise<boolean>,
): Promise<Notice[]> => [
  ...upstreams
    .list()
    .filter(({ state }) => state === 'paused' || state === 'failing')
    .map(({ name }) => ({
      ...{ ...nothing, id: `upstream ${name}`, kind: 'engine' as const },
      ...{ subject: name, isUpstream: true },
    })),
  ...((await hasConfigChanged()) ? [{ ...nothing, id: 'configuration', kind: 'configuration' as const }] : []),
]
