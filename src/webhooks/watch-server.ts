import { statfs } from 'node:fs/promises'
import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import type { Models } from '../models/contract.ts'
import { lastBackupAt } from '../store/last-backup.ts'
import type { NodeRecords } from '../store/node-contract.ts'
import type { WebhookRecords } from '../store/webhook-contract.ts'
import type { UpstreamRegistry } from '../upstreams/upstream-registry.ts'
import type { EventType } from './event-types.ts'
import type { EventData, RaiseEvent } from './raise-events.ts'
import { createRecoveries } from './recoveries.ts'

export type WatchServerDependencies = {
  records: Pick<WebhookRecords, 'list'>
  models: Pick<Models, 'list'>
  upstreams: Pick<UpstreamRegistry, 'list'>
  /** Null for a single server. */
  nodes: Pick<NodeRecords, 'databaseNow'> | null
  /** Milliseconds since 1970; null without one. */
  certificateEndsAt(): number | null
  /** The data directory. */
  directory: string
  /** With less space on its disk it is low; by default 2 GB. */
  leastFreeBytes?: number
  /** After which a backup is overdue; null: backups are made elsewhere. */
  backupMaxAgeMs: number | null
  nodeName: string
  raise: RaiseEvent
  clock: Clock
  log: Log
}

/** Without an enabled endpoint no condition is checked. */
const hasEnabledEndpoint = ({ records, log }: WatchServerDependencies): Promise<boolean> =>
  records.list(null).then(
    (endpoints) => endpoints.some(({ isEnabled }) => isEnabled),
    (error: unknown) => {
      log.warn('webhook_watch_failed', { cause: errorText(error) })
      return false
    },
  )

/** How long a condition must be over before its event is raised again. Far longer than the pause between two checks. */
const quietMs = 15 * 60_000
const dayMs = 86_400_000
/** The same as in the alerts for Prometheus. */
const certificateDays = [0, 3, 14]
const usualFreeBytes = 2e9
const maxSkewMs = 2_000
const loadingMs = 5 * 60_000

/** Looks at this node, and raises events for what is wrong. Other nodes raise those about what they share too: one of them counts. */
export const createServerWatch = (dependencies: WatchServerDependencies): (() => Promise<void>) => {
  const { models, upstreams, raise, clock, log, nodeName: node } = dependencies
  /** When each model was first seen loading. */
  const loadingSince = new Map<string, number>()

  const tell = (type: EventType, about: string, data: EventData): Promise<boolean> =>
    raise({ scope: null, type, about, until: clock.now() + quietMs, data })

  const recoveries = createRecoveries({ clock, wellMs: quietMs, tell })

  const watchModels = async (): Promise<void> => {
    for (const { model, status } of models.list()) {
      const { state, reason } = status()
      if (state !== 'loading') loadingSince.delete(model.id)
      else if (!loadingSince.has(model.id)) loadingSince.set(model.id, clock.monotonicMs())
      const since = loadingSince.get(model.id)
      const isStuck = since !== undefined && clock.monotonicMs() - since >= loadingMs
      if (state !== 'failed' && !isStuck) continue
      const about = `${node} ${model.id}`
      recoveries.wrong('engine.recovered', about, { node, model: model.id })
      await tell('engine.down', about, { node, model: model.id, state, reason })
    }
  }
  const watchUpstreams = async (): Promise<void> => {
    for (const { name, state, pauseReason, lastCheck } of upstreams.list()) {
      if (state !== 'failing' && (state !== 'paused' || pauseReason === 'busy')) continue
      recoveries.wrong('upstream.recovered', name, { upstream: name })
      await tell('upstream.down', name, { upstream: name, reason: pauseReason ?? lastCheck?.problem?.fault ?? null })
    }
  }
  const watchRecoveries = (): Promise<void> => {
    const known = new Set([
      ...models.list().map(({ model }) => `engine.recovered ${node} ${model.id}`),
      ...upstreams.list().map(({ name }) => `upstream.recovered ${name}`),
    ])
    return recoveries.look((type, about) => known.has(`${type} ${about}`))
  }
  const watchCertificate = async (): Promise<void> => {
    const endsAt = dependencies.certificateEndsAt()
    if (endsAt === null) return
    const days = certificateDays.find((least) => endsAt <= clock.now() + least * dayMs)
    if (days === undefined) return
    const until = Math.max(endsAt, clock.now()) + 30 * dayMs
    const data = { node, ends_at: new Date(endsAt).toISOString(), days }
    await raise({ scope: null, type: 'certificate.expiring', about: `${endsAt} ${days}`, until, data })
  }
  const watchDisk = async (): Promise<void> => {
    const { directory, leastFreeBytes = usualFreeBytes } = dependencies
    const { bavail, bsize } = await statfs(directory)
    if (bavail * bsize < leastFreeBytes) await tell('disk.low', node, { node, free_bytes: bavail * bsize })
  }
  const watchBackup = async (): Promise<void> => {
    const { backupMaxAgeMs, directory } = dependencies
    const at = backupMaxAgeMs === null ? null : await lastBackupAt(directory)
    if (backupMaxAgeMs === null || at === null || clock.now() - at <= backupMaxAgeMs) return
    await tell('backup.overdue', '', { last_backup_at: new Date(at).toISOString() })
  }
  const watchClock = async (): Promise<void> => {
    if (dependencies.nodes === null) return
    const before = clock.now()
    const startedMs = clock.monotonicMs()
    const databaseNow = await dependencies.nodes.databaseNow()
    // The answer was written at some time between the two.
    const roundTripMs = clock.monotonicMs() - startedMs
    const skewMs = Math.round(before + roundTripMs / 2 - databaseNow)
    if (Math.abs(skewMs) > maxSkewMs + roundTripMs / 2) await tell('clock.skewed', node, { node, skew_ms: skewMs })
  }
  const looks = { watchModels, watchUpstreams, watchCertificate, watchDisk, watchBackup, watchClock, watchRecoveries }
  return async () => {
    if (!(await hasEnabledEndpoint(dependencies))) return
    // One that fails must not hide the others.
    for (const [what, look] of Object.entries(looks))
      await look().catch((error: unknown) => log.warn('webhook_watch_failed', { what, cause: errorText(error) }))
  }
}
