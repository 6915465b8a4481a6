import { errorMessage } from '../base/caught-error.ts'
import type { Clock } from '../base/clock.ts'
import { fullVersion } from '../base/version.ts'
import type { Config } from '../config/settings.ts'
import type { Models } from '../models/contract.ts'
import type { Redis } from '../redis/redis.ts'
import type { Store } from '../store/contract.ts'
import { isStoreAway } from '../store/store-failure.ts'
import type { UpstreamRegistry } from '../upstreams/upstream-registry.ts'
import type { Ledger } from '../usage/ledger-contract.ts'
import { checkBackup } from './check-backup.ts'
import { checkClock } from './check-clock.ts'
import { checkDisk } from './check-disk.ts'
import { checkGpu, checkModels } from './check-models.ts'
import type { Finding, SelfChecks } from './self-checks.ts'

export type ServerChecksDependencies = {
  config: Config
  clock: Clock
  /** The data directory. */
  directory: string
  store: Pick<Store, 'ping' | 'time'>
  /** Null for a single server. */
  redis: Pick<Redis, 'isAway' | 'call'> | null
  models: Pick<Models, 'list' | 'defaultPool'>
  upstreams: Pick<UpstreamRegistry, 'list'>
  ledger: Pick<Ledger, 'acceptsWithoutStore' | 'unwritten'>
  /** Whether the file of settings has changed since the start. */
  hasConfigChanged(): Promise<boolean>
  workerCounts(): { now: number; afterRestart: number }
}

/** All of a server but its listener, which adds its own. */
export const addServerChecks = (checks: SelfChecks, dependencies: ServerChecksDependencies): void => {
  const { config, clock, directory, store, models, hasConfigChanged } = dependencies
  checks.add('runtime', () => checkRuntime(dependencies))
  checks.add('settings', async () =>
    (await hasConfigChanged())
      ? warning('the file of settings has changed since the start; restart the server to apply it')
      : ok('as at the start'),
  )
  checks.add('data directory', () => ok(directory))
  checks.add('disk', () => checkDisk(directory))
  checks.add('database', () => checkDatabase(dependencies))
  checks.add('clock', () => checkClock(store, clock))
  checks.add('ledger', () => checkLedger(dependencies))
  checks.add('backup', () => checkBackup(config, directory, clock.now()))
  checks.add('redis', (isThorough) => checkRedis(dependencies, isThorough))
  checks.add('models', () => checkModels(models))
  checks.add('gpu', () => checkGpu(models))
  checks.add('upstreams', () => checkUpstreams(dependencies))
}

const ok = (detail: string): Finding => ({ state: 'ok', detail })
const warning = (detail: string): Finding => ({ state: 'warning', detail })
const failed = (detail: string): Finding => ({ state: 'failed', detail })

const checkDatabase = async ({ config, clock, store, ledger }: ServerChecksDependencies): Promise<Finding> => {
  const name = config.store === null ? 'SQLite in the data directory' : `PostgreSQL at ${new URL(config.store).host}`
  const startedMs = clock.monotonicMs()
  try {
    await store.ping()
  } catch (error) {
    if (isStoreAway(error) && ledger.acceptsWithoutStore)
      return warning(`${name} is away; requests are recorded on the local disk meanwhile`)
    return failed(`${name} cannot be written: ${errorMessage(error)}`)
  }
  return ok(`${name}; a write took ${Math.round(clock.monotonicMs() - startedMs)} ms`)
}

const checkRuntime = ({ workerCounts }: ServerChecksDependencies): Finding => {
  const { now, afterRestart } = workerCounts()
  const workers = now === 1 ? '' : `, ${now} workers`
  const detail = `Helix ${fullVersion}, Node ${process.versions.node} on ${process.platform}${workers}`
  if (now === afterRestart) return ok(detail)
  const later = afterRestart === 1 ? '1 worker' : `${afterRestart} workers`
  return warning(`${detail}; after a restart it would have ${later}, because of the upstreams that it has now`)
}

const checkLedger = ({ ledger: { unwritten } }: ServerChecksDependencies): Finding =>
  unwritten === 0 ? ok('everything is written') : warning(`${unwritten} records wait to be written, and are retried`)

/** The thorough check also knows the version and whether keys would be evicted. */
const checkRedis = async (
  { config, clock, redis }: ServerChecksDependencies,
  isThorough: boolean,
): Promise<Finding> => {
  if (redis === null || config.redis === null) return ok('not used')
  if (redis.isAway) return failed('away; each node applies its share of the limits alone')
  const startedMs = clock.monotonicMs()
  await redis.call('EXISTS', 'doctor')
  const tookMs = Math.round(clock.monotonicMs() - startedMs)
  const described = isThorough ? await examine(config.redis.split(','), config.redisTimeoutMs) : 'it answers'
  return ok(`${described}; a command took ${tookMs} ms`)
}

/** Loaded when it is needed: most servers have no Redis. */
const examine = async (addresses: readonly string[], timeoutMs: number): Promise<string> => {
  const { examineRedis } = await import('../redis/examine-redis.ts')
  return examineRedis(addresses, timeoutMs)
}

const shownUpstreams = 5

const checkUpstreams = ({ upstreams }: ServerChecksDependencies): Finding => {
  const all = upstreams.list()
  if (all.length === 0) return ok('none')
  const troubled = all.filter(({ state }) => state === 'paused' || state === 'failing')
  if (troubled.length === 0) return ok(`${all.length} in use`)
  const named = troubled.slice(0, shownUpstreams).map(({ name, state, pauseReason, lastCheck }) => {
    const reason = pauseReason ?? lastCheck?.problem
    return `${name} is ${state}${reason == null ? '' : ` (${reason})`}`
  })
  const others = troubled.length - named.length
  return warning(`${named.join(', ')}${others === 0 ? '' : ` and ${others} more`}; 'helix upstreams list' has details`)
}
