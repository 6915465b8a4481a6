import type { PasswordCost } from './accounts/passwords/password-hasher.ts'
import { openApiBodyReaders } from './api/bodies/api-body-readers.ts'
import { createRecordRefusal } from './api/generation/accept/record-refusal.ts'
import type { Clock } from './base/clock.ts'
import type { Log } from './base/log.ts'
import type { Config } from './config/settings.ts'
import { createBodyBudget } from './http/body-budget.ts'
import { createCors } from './http/cors.ts'
import { createDispatch } from './http/dispatch.ts'
import { ClientGone } from './http/exchange.ts'
import { createForwarded } from './http/forwarded.ts'
import type { Models } from './models/contract.ts'
import { createPriceOf } from './models/price-of.ts'
import { oneAtATime } from './nodes/one-at-a-time.ts'
import type { LeaseTimes } from './nodes/open-node-lease.ts'
import { guardRoutes, noGuards } from './operations/guard-routes.ts'
import { isFree } from './prices/is-free.ts'
import { createRedisMessages } from './redis/redis-messages.ts'
import { openReplays } from './replay/replays.ts'
import { createRoutes } from './routes.ts'
import { createClosers } from './serve/closers.ts'
import { createNodeIdentity } from './serve/create-node-identity.ts'
import { followNodes } from './serve/follow-nodes.ts'
import { openAccess } from './serve/open-access.ts'
import { openClusterRedis } from './serve/open-cluster-redis.ts'
import { openDataDisk } from './serve/open-data-disk.ts'
import { openDialects } from './serve/open-dialects.ts'
import { openEmbeddings } from './serve/open-embeddings.ts'
import { openEngineNodes } from './serve/open-engine-nodes.ts'
import { openGeneration } from './serve/open-generation.ts'
import { type LimitsTime, prepareLimiter } from './serve/open-limiter.ts'
import { openListeners } from './serve/open-listeners.ts'
import { openNode } from './serve/open-node.ts'
import { openResponses } from './serve/open-responses.ts'
import { openSecretKey } from './serve/open-secret-key.ts'
import { openUpstreams } from './serve/open-upstreams.ts'
import { openUsage } from './serve/open-usage.ts'
import { createRecheckAnswers } from './serve/recheck-answers.ts'
import { sharedReplays } from './serve/shared-replays.ts'
import { createShutdownDelay } from './serve/shutdown-delay.ts'
import { createStopAnswers, type StopAnswers } from './serve/stop-answers.ts'
import type { Site } from './site-server/open-site.ts'
import { showUnknown } from './site-server/show-unknown.ts'
import { lockDataDirectory } from './store/data-directory.ts'
import { openStore } from './store/open-store.ts'
import { ownFigures } from './upstreams/cluster-figures.ts'
import { createUpstreamSet, type UpstreamSet } from './upstreams/upstream-set.ts'

/**
 * Composition root of the API role: opens what is needed, builds the routes, listens, and closes in reverse order. The
 * phases are in `serve/`.
 */
export type ServeOptions = {
  config: Config
  clock: Clock
  log: Log
  openModels(): Models
  /** Their models are among those of `openModels`; by default there are none. */
  upstreams?: UpstreamSet
  openSite(): Site
  /** Whether the file of settings has changed since the start; by default there is none. */
  hasConfigChanged?: () => Promise<boolean>
  /** The recommended one unless a test chooses a lower one. */
  passwordCost?: PasswordCost
  /** The usual ones unless a test chooses shorter ones. */
  leaseTimes?: LeaseTimes
  /** The clock for limits per minute in a cluster: that of Redis unless a test has a manual clock. */
  limitsTimeOf?: LimitsTime
}

export interface RunningServer {
  /** The address it listens on, such as `https://127.0.0.1:8080`, without a path. */
  readonly url: string
  /** The address for people: the public one, or the one it listens on, under a name for which browsers create passkeys. */
  readonly siteUrl: string
  /** The id of the default model. */
  readonly model: string
  /** The page on which the first person becomes the owner; null once there is one. */
  readonly claimUrl: string | null
  /** Resolves with the reason if the server cannot continue. */
  readonly failed: Promise<Error>
  /**
   * Serves requests until load balancers have noticed, then refuses new ones. Running ones can complete within the grace period,
   * and end with an error after it.
   */
  close(): Promise<void>
  /** Load balancers get no time to notice that it stops. False if they have had it, or need none. */
  skipDelay(): boolean
}

/** A command may lock the directory for a moment. */
const lockWaitMs = 2000

export const serve = async (options: ServeOptions): Promise<RunningServer> => {
  const { config, clock, log, passwordCost } = options
  const closers = createClosers()
  try {
    const directory = await lockDataDirectory(config.dataDir, { clock, waitMs: lockWaitMs })
    closers.add(() => directory.release())
    // The model takes longest to be ready, so it starts first.
    const models = options.openModels()
    closers.add(() => models.close())
    const store = await openStore({ config, directory, clock })
    closers.add(() => store.close())
    const redis = await openClusterRedis({ config, clock, log, closers })
    const messages = redis === null ? null : createRedisMessages(redis)
    const site = options.openSite()
    closers.add(() => site.close())

    // Known only once the server listens.
    let localUrl = ''
    const siteUrl = (): string => config.publicUrl ?? localUrl
    const { shutdownDelayMs, shutdownGraceMs } = config
    const delayMs = Math.min(shutdownDelayMs, shutdownGraceMs)
    const delay = createShutdownDelay({ delayMs, clock, onBegun: () => log.info('stop_delayed', { delayMs }) })
    let answers: StopAnswers | null = null
    const stopAnswers = (): StopAnswers | null => answers
    const secretKey = await openSecretKey({ config, directory, store, log })
    const limits = prepareLimiter({ closers, timeOf: options.limitsTimeOf })
    const identity = store.nodes === null ? null : createNodeIdentity()
    const set = options.upstreams ?? createUpstreamSet({ clock, log })
    const node = await openNode({
      upstreams: () => ownFigures(set),
      ...{ config, clock, log, store, models, closers, times: options.leaseTimes, identity },
      address: () => localUrl,
      onLost: () => stopAnswers()?.ofNode(),
      onNodeEnded: limits.onNodeEnded,
    })
    const upstreams = await openUpstreams({
      ...{ config, clock, log, store, secretKey, set, closers },
      onChanged: (resumed) => messages?.publish('upstreams', resumed === undefined ? [] : [resumed]),
    })
    if (identity !== null)
      await openEngineNodes({ node, identity, upstreams, messages, times: options.leaseTimes, clock, log, closers })
    const access = openAccess({
      ...{ config, clock, log, store, redis, node, secretKey, passwordCost, siteUrl, stopAnswers, closers },
      announceKeys: (keyIds) => messages?.publish('keys', keyIds),
    })
    const { keys, accounts } = access
    const { ledger, refusals, bodies, notifier } = await openUsage({
      config,
      clock,
      log,
      store,
      directory: directory.path,
      node,
      messages,
      closers,
    })
    const priceOf = createPriceOf(config.prices, models)
    const hasFreeModel = (): boolean => models.list().some(({ model }) => isFree(priceOf(model.id)))
    // After the ledger's recovery: requests that are still open there would count as running.
    const limiter = await limits.open({ config, clock, log, store, redis, node, priceOf, hasFreeModel })
    const replays = await openReplays({
      records: { ...store.replays, removeExpired: oneAtATime(node, 'expire replays', store.replays.removeExpired) },
      clock,
      log,
      resumeGraceMs: config.resumeGraceMs,
      replayRetentionHours: config.replayRetentionHours,
      replayAnswerLimitBytes: config.replayAnswerLimitBytes,
      replayMemoryLimitBytes: config.replayMemoryLimitBytes,
      replayDiskLimitBytes: config.replayDiskLimitBytes,
      abandoned: () => new ClientGone(),
      ...sharedReplays(store, redis, config),
    })
    closers.add(() => replays.close())
    const openEndpoint = openGeneration({
      config,
      clock,
      models,
      limiter,
      ledger,
      refusals,
      bodies,
      replays,
      disk: openDataDisk(config, clock),
      closers,
    })
    const readers = openApiBodyReaders({ clock, bodyLimitBytes: config.bodyLimitBytes })
    closers.add(() => readers.close())
    const dialects = openDialects({ clock, completions: store.completions, readers })

    const responses = openResponses({ clock, log, responses: store.responses, readers, node, closers })

    const routes = createRoutes({
      config,
      clock,
      store,
      models,
      upstreams,
      node,
      priceOf,
      limiter: {
        ...limiter,
        forget(organisationId) {
          limiter.forget(organisationId)
          messages?.publish('limits', [organisationId])
        },
      },
      keys,
      accounts,
      bodies,
      notifier,
      ledger,
      chatCompletions: openEndpoint(dialects.chat),
      responses: openEndpoint(responses.dialect),
      inputTokens: responses.inputTokens,
      completions: openEndpoint(dialects.completions),
      messages: openEndpoint(dialects.messages),
      readers,
      embeddings: {
        handle: openEmbeddings({ config, clock, models, limiter, ledger, bodies, readers }),
        onError: createRecordRefusal({ refusals, clock, endpoint: 'embeddings' }),
      },
      site,
      siteUrl,
      redis,
      stop: delay,
      hasConfigChanged: options.hasConfigChanged ?? (async () => false),
    })
    const dispatch = createDispatch({
      routes: guardRoutes(routes, { ...noGuards, keyGuard: access.keyGuard, pageGuard: access.pageGuard }),
      locate: createForwarded({ trustedProxies: config.trustedProxies, publicUrl: config.publicUrl ?? undefined }),
      cors: createCors(config.corsOrigins),
      bodies: createBodyBudget(config),
      showUnknown: (exchange, path) => showUnknown(site, exchange, path),
      clock,
      log,
    })
    const stopping = createStopAnswers({ dispatch, replays })
    answers = stopping
    if (redis !== null && messages !== null)
      followNodes({
        ...{ messages, redis, limiter, upstreams, bodies, notifier, clock, log, closers, verifier: access.verifier },
        recheckAnswers: createRecheckAnswers({ records: store.callers, dispatch, replays, stopAnswers: stopping }),
      })

    const listening = { config, clock, log, directory: directory.path, dispatch, replays, notifier, delay, closers }
    const { url, ...urls } = await openListeners(listening)
    localUrl = urls.localUrl
    const { id: model } = models.defaultPool.model
    log.info('listening', { url, dataDir: directory.path, model })
    // A new link at each start, until one was used.
    const claim = await accounts.links.createSetup()
    const claimUrl = claim === null ? null : siteUrl() + claim.path
    return {
      ...{ url, siteUrl: siteUrl(), model, claimUrl, failed: store.failed },
      close: closers.closeAll,
      skipDelay: delay.skip,
    }
  } catch (error) {
    await closers.closeAll()
    throw error
  }
}
