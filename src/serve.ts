import { createByteUse } from './base/byte-use.ts'
import { fullVersion } from './base/version.ts'
import { createLiveConfig } from './config/live-config.ts'
import { createSelfChecks } from './health/self-checks.ts'
import { createMetrics } from './metrics/metrics.ts'
import { openAccounting } from './serve/open-accounting.ts'
import { openCluster } from './serve/open-cluster.ts'
import { openEndpoints } from './serve/open-endpoints.ts'
import { openListeners } from './serve/open-listeners.ts'
import { openMetricsListener } from './serve/open-metrics-listener.ts'
import { openSelfChecks } from './serve/open-self-checks.ts'
import { openStorage } from './serve/open-storage.ts'
import type { ServeContext, ServeOptions } from './serve/serve-options.ts'
import { ServerLife } from './serve/server-life.ts'
import { createShutdownDelay } from './serve/shutdown-delay.ts'
import type { StopAnswers } from './serve/stop-answers.ts'
import { decideWorkers } from './serve/workers/decide-workers.ts'
import { openWorkers } from './serve/workers/open-workers.ts'
import { createSharedMemory, openMemoryUse } from './serve/workers/shared-memory.ts'
import { createWorkerLink } from './serve/workers/worker-link.ts'
import type { Workers } from './serve/workers/workers.ts'
import type { Site } from './site-server/open-site.ts'
import type { UpstreamSet } from './upstreams/upstream-set.ts'

export interface RunningServer {
  /** The address it listens on, such as `https://127.0.0.1:8080`, without a path. */
  readonly url: string
  /** The address for people: the public one, or the one it listens on, under a name for which browsers create passkeys. */
  readonly siteUrl: string
  /** The id of the default model. */
  readonly model: string
  /** The page on which the first person becomes the owner; null once there is one. */
  readonly claimUrl: string | null
  /** The same once the pages are built; null if they were there from the start, or there is an owner by then. */
  readonly claimUrlOnceBuilt: Promise<string | null>
  /** Resolves with the reason if the server cannot continue. */
  readonly failed: Promise<Error>
  /**
   * Serves requests until load balancers have noticed, then refuses new ones. Running ones can complete within the grace period,
   * and end with an error after it.
   */
  close(): Promise<void>
  /** Null if the main thread answers everything. */
  readonly workers: Workers | null
  /** Load balancers get no time to notice that it stops. False if they have had it, or need none. */
  skipDelay(): boolean
}

/**
 * Composition root of the API role: opens what is needed, phase by phase, builds the routes, listens, and closes in reverse
 * order. `serve/server-life.ts` has the phases.
 */
export const serve = async (options: ServeOptions): Promise<RunningServer> => {
  const life = new ServerLife()
  try {
    return await open(options, life)
  } catch (error) {
    await life.close()
    throw error
  }
}

const open = async (options: ServeOptions, life: ServerLife): Promise<RunningServer> => {
  const live = createLiveConfig(options.config)
  const { clock, log } = options
  const { config } = live
  const delayMs = Math.min(config.shutdownDelayMs, config.shutdownGraceMs)
  const delay = createShutdownDelay({ delayMs, clock, onBegun: () => log.info('stop_delayed', { delayMs }) })
  // Known only once the server listens, and once there are endpoints.
  let localUrl = ''
  let answers: StopAnswers | null = null
  let certificateEndsAt = (): number | null => null
  let workerCount = 1
  let upstreamSet: Pick<UpstreamSet, 'list'> | null = null
  const siteUrl = (): string => config.publicUrl ?? localUrl
  const metrics = createMetrics()
  const checks = createSelfChecks(clock)
  const later = {
    siteUrl,
    localUrl: () => localUrl,
    certificateEndsAt: () => certificateEndsAt(),
    stopAnswers: () => answers,
    workerLink: createWorkerLink(),
    workerCounts: () => ({ now: workerCount, afterRestart: decideWorkers(options, upstreamSet) }),
  }
  const context: ServeContext = { ...options, config, live, delay, metrics, checks, ...later }

  const storage = await life.open('storage', (closers) => openStorage(context, closers))
  const cluster = await life.open('cluster', (closers) => openCluster(context, storage, closers))
  upstreamSet = cluster.upstreamSet
  workerCount = decideWorkers(options, upstreamSet)
  if (workerCount < (config.workers ?? 1)) log.warn('workers_unsupported', { reason: process.platform })
  const accounting = await life.open('accounting', (closers) => openAccounting(context, storage, cluster, closers))
  const earlier = { ...storage, ...cluster, ...accounting }
  const memory = workerCount > 1 ? createSharedMemory(workerCount) : null
  const memoryUse =
    memory === null ? { bodies: createByteUse(), answers: createByteUse() } : openMemoryUse(memory, workerCount)
  const { dispatch, stopAnswers, showMetrics } = await life.open('endpoints', (closers) =>
    openEndpoints(context, earlier, memoryUse, closers),
  )
  answers = stopAnswers
  const { directory, models, store, replays, notifier, access, site } = earlier
  let workers: Workers | null = null
  const listening = { config, clock, log, directory: directory.path, dispatch, replays, notifier, delay }
  const { url, ...opened } = await life.open('listeners', async (closers) => {
    await openMetricsListener(context, showMetrics, closers)
    if (memory !== null) workers = openWorkers(context, earlier, { count: workerCount, memory }, closers)
    const urls = await openListeners({ ...listening, metrics, checks, workers, closers })
    // Before the listeners, which would let requests for pages wait for a build that nobody needs any more.
    closers.add(() => void site.close())
    // Nobody reads those of a single server unless they ask for them.
    if (store.nodes !== null) openSelfChecks(checks, clock, closers)
    return urls
  })
  localUrl = opened.localUrl
  certificateEndsAt = opened.certificateEndsAt
  const { id: model } = models.defaultPool.model
  log.info('listening', { version: fullVersion, url, dataDir: directory.path, model, workers: workerCount })
  // A new link at each start, until one was used.
  const claim = await access.accounts.links.createSetup()
  const claimUrl = claim === null ? null : siteUrl() + claim.path
  const findClaimUrl = async (): Promise<string | null> => {
    if (site.state.kind !== 'building') return null
    await site.settled
    return hasAllPages(site) && (await access.accounts.signUp.state()) === 'setup' ? claimUrl : null
  }
  // A server that is closed meanwhile has nothing to say.
  const claimUrlOnceBuilt = findClaimUrl().catch(() => null)
  life.serve()
  return {
    ...{ url, siteUrl: siteUrl(), model, claimUrl, claimUrlOnceBuilt, failed: store.failed, workers },
    close: () => life.close(),
    skipDelay: delay.skip,
  }
}

const hasAllPages = ({ state }: Site): boolean => state.kind === 'ready'
