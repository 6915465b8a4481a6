import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import { budgetNames } from '../config/limit-kinds.ts'
import type { KeyRegistry, ShownKey } from '../keys/key-registry.ts'
import type { Limiter, UsageSnapshot } from '../limits/limiter-contract.ts'
import type { SettledSums } from '../limits/settled-sum.ts'
import type { NodeLease } from '../nodes/node-lease.ts'
import type { WebhookRecords } from '../store/webhook-contract.ts'
import type { RaiseEvent } from './raise-events.ts'
import { watchBudgets } from './watch-budgets.ts'

type WatchDependencies = {
  records: Pick<WebhookRecords, 'subscribers' | 'list'>
  keys: Pick<KeyRegistry, 'list'>
  limiter: Pick<Limiter, 'usageSnapshots'>
  usage: SettledSums
  node: Pick<NodeLease, 'holdTask'>
  firstOrganisation(): Promise<{ id: string }>
  raise: RaiseEvent
  clock: Clock
  log: Log
  timeZone: string
}

const pageSize = 100
/** However many there are. The next pass begins anew. */
const maxOrganisations = 10_000
/** Of each organisation. */
const maxKeys = 200
/** Longer than a pass and the pause after it. */
const holdMs = 180_000
const dayMs = 86_400_000
/** How long before its end a key is about to expire; the nearest is told. */
const expiryDays = [1, 7]

/** One look at the budgets and keys of all organisations that have endpoints, by one node at a time. */
export const watchOrganisations = async (dependencies: WatchDependencies, isClosed: () => boolean): Promise<void> => {
  const { records, node, log } = dependencies
  try {
    if (!(await node.holdTask('watch organisations', holdMs))) return
    await watchServerBudgets(dependencies)
    let after: string | null = null
    for (let seen = 0; seen < maxOrganisations && !isClosed(); seen += pageSize) {
      const page: string[] = await records.subscribers(after, pageSize)
      for (const organisationId of page) await watchOrganisation(organisationId, dependencies)
      after = page.at(-1) ?? null
      if (page.length < pageSize) return
    }
  } catch (error) {
    log.warn('webhook_watch_failed', { cause: errorText(error) })
  }
}

const usesOf = (snapshots: readonly UsageSnapshot[], wanted: UsageSnapshot['scope']): UsageSnapshot['uses'] =>
  snapshots.find(({ scope }) => scope === wanted)?.uses ?? {}

/** Limits of the server are the same whichever organisation is asked about. */
const watchServerBudgets = async (dependencies: WatchDependencies): Promise<void> => {
  if (!(await dependencies.records.list(null)).some(({ events }) => events.includes('budget.reached'))) return
  const { id } = await dependencies.firstOrganisation()
  const snapshots = await dependencies.limiter.usageSnapshots(id, null)
  await watchBudgets({ organisationId: null, key: null }, usesOf(snapshots, 'server'), dependencies)
}

const watchOrganisation = async (organisationId: string, dependencies: WatchDependencies): Promise<void> => {
  const { keys, limiter } = dependencies
  const snapshots = await limiter.usageSnapshots(organisationId, null)
  await watchBudgets({ organisationId, key: null }, usesOf(snapshots, 'organisation'), dependencies)
  const active = (await keys.list({ organisationId })).filter(({ state }) => state === 'active')
  const budgeted = active.filter(({ limits }) => budgetNames.some((name) => limits[name] !== null)).slice(0, maxKeys)
  for (const key of budgeted) {
    const uses = usesOf(await limiter.usageSnapshots(organisationId, key), 'key')
    await watchBudgets({ organisationId, key }, uses, dependencies)
  }
  for (const key of active.filter(({ expiresAt }) => expiresAt !== null).slice(0, maxKeys))
    await watchExpiry(organisationId, key, dependencies)
}

const watchExpiry = async (
  organisationId: string,
  { id, name, expiresAt }: ShownKey,
  { raise, clock }: WatchDependencies,
): Promise<void> => {
  const days = expiryDays.find((least) => expiresAt !== null && expiresAt <= clock.now() + least * dayMs)
  if (expiresAt === null || days === undefined) return
  await raise({
    ...{ scope: organisationId, type: 'key.expiring', about: `${id} ${expiresAt} ${days}`, until: expiresAt + dayMs },
    data: {
      ...{ organisation_id: organisationId, key_id: id, key_name: name },
      ...{ expires_at: new Date(expiresAt).toISOString(), days },
    },
  })
}
