/**
 * Composition root of the engine role: the models of this machine, for the servers of a cluster only. It has no site, keys,
 * accounts or ledger: the server that sends it a request has admitted it and bills it.
 */

import { hostname } from 'node:os'
import { openApiBodyReaders } from '../../api/bodies/api-body-readers.ts'
import type { Clock } from '../../base/clock.ts'
import { unknownDiskSpace } from '../../base/disk-space.ts'
import { errorText, type Log } from '../../base/log.ts'
import type { Messages } from '../../base/messages.ts'
import { OperatorError } from '../../base/operator-error.ts'
import { openPeriodicTask } from '../../base/periodic-task.ts'
import { fullVersion } from '../../base/version.ts'
import type { Config } from '../../config/settings.ts'
import { addEngineChecks } from '../../health/engine-checks.ts'
import { createSelfChecks, type SelfChecks } from '../../health/self-checks.ts'
import { createBodyBudget } from '../../http/body-budget.ts'
import { controlSocketPath, removeStaleSocket } from '../../http/control-socket.ts'
import { createDispatch, type Dispatch } from '../../http/dispatch.ts'
import { createForwarded } from '../../http/forwarded.ts'
import { type Listener, listen } from '../../http/listen.ts'
import type { Models } from '../../models/contract.ts'
import type { NodeLease } from '../../nodes/node-lease.ts'
import { type LeaseTimes, leaseTimes } from '../../nodes/open-node-lease.ts'
import { guardRoutes, type NodeGuard, noGuards } from '../../operations/guard-routes.ts'
import { createRedisMessages } from '../../redis/redis-messages.ts'
import type { Store } from '../../store/contract.ts'
import { lockDataDirectory } from '../../store/data-directory.ts'
import { openStore } from '../../store/open-store.ts'
import { type Closers, createClosers } from '../closers.ts'
import { createNodeIdentity } from '../create-node-identity.ts'
import { drain } from '../drain.ts'
import { openClusterRedis } from '../open-cluster-redis.ts'
import { openDialects } from '../open-dialects.ts'
import { openGeneration } from '../open-generation.ts'
import { openInputsEndpoints } from '../open-inputs-endpoints.ts'
import { openNode } from '../open-node.ts'
import { openSelfChecks } from '../open-self-checks.ts'
import { openTraces } from '../open-traces.ts'
import { createAdmitNodes } from './admit-nodes.ts'
import { createEngineOffer } from './create-engine-offer.ts'
import { createEngineRoutes } from './engine-routes.ts'
import { createNodeTrust } from './node-trust.ts'
import { unbilled } from './unbilled.ts'

export type ServeEngineOptions = {
  config: Config
  clock: Clock
  log: Log
  /** Only those of this machine. */
  openModels(): Models
  /** The usual ones unless a test chooses shorter ones. */
  leaseTimes?: LeaseTimes
}

export interface RunningEngine {
  /** By which the servers of the cluster reach it. */
  readonly url: string
  /** The id of the default model. */
  readonly model: string
  /** Resolves with the reason if it cannot continue. */
  readonly failed: Promise<Error>
  /** Leaves the cluster. Running answers can complete within the grace period. */
  close(): Promise<void>
}

/** A command may lock the directory for a moment. */
const lockWaitMs = 2000
/** So long after a change the others know it at the latest, not only with the next heartbeat. */
const announceEveryMs = 1000

export const serveEngine = async (options: ServeEngineOptions): Promise<RunningEngine> => {
  const { config, clock, log, leaseTimes: times = leaseTimes } = options
  requireSettings(config)
  const closers = createClosers()
  try {
    const directory = await lockDataDirectory(config.dataDir, { clock, waitMs: lockWaitMs })
    closers.add(() => directory.release())
    const models = options.openModels()
    closers.add(() => models.close())
    const store = await openStore({ config, directory, clock, isShared: true })
    closers.add(() => store.close())

    const messages = await openMessages({ config, clock, log, closers })

    // Known only once it listens.
    let url = ''
    const engine = createEngineOffer(models, () => url)
    const identity = createNodeIdentity()
    const checks = createSelfChecks(clock)
    addEngineChecks(checks, { clock, directory: directory.path, store, models, url: () => url })
    const node = await openNode({
      ...{ config, clock, log, store, models, times, identity, closers },
      address: () => url,
      engine: engine.offer,
      checks: checks.latest,
      // The servers have given up its answers already, and nothing is billed here.
      onLost() {},
      onNodeEnded: async () => {},
    })
    const admission = createAdmitNodes(createNodeTrust({ node, leaseMs: times.leaseMs, clock }), log)
    const dispatch = openDispatch(options, { models, store, node, checks, nodeGuard: admission.guard, closers })

    const { dataDir, engineNodeHost: host, engineNodePort: port, shutdownGraceMs } = config
    const listeners: Listener[] = []
    closers.add(() => drain({ listeners, dispatch, shutdownGraceMs, clock, log }))
    const tls = {
      cert: Buffer.from(identity.certPem),
      key: Buffer.from(identity.keyPem),
      checkClient: admission.checkClient,
    }
    const network = await listen({ host, port, tls }, config, dispatch)
    listeners.push(network)
    const socketPath = controlSocketPath(dataDir)
    removeStaleSocket(socketPath)
    listeners.push(await listen({ socketPath }, config, dispatch))
    url = config.engineNodeUrl ?? `https://${host.includes(':') ? `[${host}]` : host}:${network.address?.port ?? port}`

    openSelfChecks(checks, clock, closers)
    closers.add(announceChanges(engine, node, messages, clock))
    const { id: model } = models.defaultPool.model
    log.info('engine_listening', { version: fullVersion, url, dataDir: directory.path, model })
    return { url, model, failed: store.failed, close: closers.closeAll }
  } catch (error) {
    await closers.closeAll()
    throw error
  }
}

type DispatchDependencies = {
  models: Models
  store: Store
  node: Pick<NodeLease, 'list'>
  checks: SelfChecks
  nodeGuard: NodeGuard
  closers: Closers
}

/** Answers the requests of the cluster's servers, which bill them. */
const openDispatch = (
  { config, clock, log }: ServeEngineOptions,
  { models, store, node, checks, nodeGuard, closers }: DispatchDependencies,
): Dispatch => {
  const openEndpoint = openGeneration({
    config,
    clock,
    models,
    ...unbilled,
    hooks: undefined,
    cached: null,
    disk: unknownDiskSpace,
    closers,
  })
  const readers = openApiBodyReaders({ clock, bodyLimitBytes: config.bodyLimitBytes })
  closers.add(() => readers.close())
  const { chatCompletions, completions } = openDialects(openEndpoint, {
    ...{ clock, completions: store.completions, readers },
  })
  const routes = createEngineRoutes({
    models,
    chatCompletions: chatCompletions.handle,
    completions: completions.handle,
    ...openInputsEndpoints({ config, clock, models, ...unbilled, readers }),
    diagnosis: {
      runChecks: () => checks.run({ isThorough: true }),
      listNodes: () => node.list(),
      self: { name: config.nodeName ?? hostname(), kind: 'engine', version: fullVersion },
    },
  })
  return createDispatch({
    routes: guardRoutes(routes, { ...noGuards, nodeGuard }),
    locate: createForwarded({ trustedProxies: [] }),
    cors: () => ({}),
    // All requests come from a few servers, which have their own shares for callers.
    bodies: createBodyBudget({ ...config, bodyMemoryShareBytes: config.bodyMemoryLimitBytes }),
    showUnknown: () => false,
    clock,
    log,
    traces: openTraces({ config, clock, log, closers }),
  })
}

/** Tells the servers what this node offers, whenever that changes. The returned function announces the end. */
const announceChanges = (
  engine: ReturnType<typeof createEngineOffer>,
  node: NodeLease,
  messages: Messages | null,
  clock: Clock,
): (() => Promise<void>) => {
  let announced = ''
  const announce = async (): Promise<void> => {
    const offer = JSON.stringify(engine.offer())
    if (offer === announced) return
    announced = offer
    await node.announce()
    messages?.publish('engines', [])
  }
  const announcing = openPeriodicTask(announce, clock, announceEveryMs)
  return async () => {
    await announcing.close()
    // Before it refuses requests, so that few are sent here only to be sent elsewhere.
    engine.drain()
    await announce()
  }
}

/** Redis is not needed: without it, servers notice a change within seconds. */
const openMessages = async (options: Parameters<typeof openClusterRedis>[0]): Promise<Messages | null> => {
  try {
    const redis = await openClusterRedis(options)
    return redis === null ? null : createRedisMessages(redis)
  } catch (error) {
    options.log.warn('engine_without_redis', { cause: errorText(error) })
    return null
  }
}

const requireSettings = ({ store, engineNodeUrl, engineNodeHost }: Config): void => {
  if (store === null)
    throw new OperatorError('helix engine requires HELIX_STORE, the PostgreSQL database of the cluster')
  if (engineNodeUrl === null && (engineNodeHost === '0.0.0.0' || engineNodeHost === '::'))
    throw new OperatorError(
      `HELIX_ENGINE_NODE_HOST=${engineNodeHost} listens on all addresses: set HELIX_ENGINE_NODE_URL to the one by which the servers reach this machine`,
    )
}
