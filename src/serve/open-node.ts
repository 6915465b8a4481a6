import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import { dayOf } from '../base/calendar.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { fullVersion } from '../base/version.ts'
import type { Config } from '../config/settings.ts'
import type { ModelPool, Models } from '../models/contract.ts'
import { createSingleNode } from '../nodes/create-single-node.ts'
import type { EngineOffer } from '../nodes/engine-offer.ts'
import type { NodeCheck } from '../nodes/node-check.ts'
import type { NodeIdentity } from '../nodes/node-identity.ts'
import type { NodeLease, NodeSelf, NodeStatus, UpstreamFigures } from '../nodes/node-lease.ts'
import { type LeaseTimes, leaseTimes, openNodeLease } from '../nodes/open-node-lease.ts'
import type { Store } from '../store/contract.ts'
import type { Closers } from './closers.ts'

type NodeDependencies = {
  config: Pick<Config, 'nodeName' | 'timeZone'>
  clock: Clock
  log: Log
  store: Pick<Store, 'nodes'>
  models: Pick<Models, 'list'>
  /** The usual ones unless a test chooses shorter ones. */
  times: LeaseTimes | undefined
  /** Empty until it listens. */
  address(): string
  /** The requests of this node may have been settled by another: its answers must end. */
  onLost(): void
  onNodeEnded(nodeId: string, name: string): Promise<void>
  /** Of this process; null for a single server. */
  identity: NodeIdentity | null
  /** Only of an engine node. */
  engine?: () => EngineOffer
  /** Only of a server. */
  upstreams?: () => readonly UpstreamFigures[]
  /** Only of a server. */
  secretKeys?: () => readonly string[]
  /** What it knows about its dependencies, without waiting. */
  checks(): readonly NodeCheck[]
  closers: Closers
}

/** This server among those that share the database. */
export const openNode = async (dependencies: NodeDependencies): Promise<NodeLease> => {
  const { config, clock, log, store, models, times = leaseTimes, address, onLost, onNodeEnded, closers } = dependencies
  const { identity, engine } = dependencies
  const self: NodeSelf = {
    ...{
      name: config.nodeName ?? hostname(),
      version: fullVersion,
      address,
      status: createStatus(models, dependencies),
    },
    certificate: identity?.certPem ?? '',
    engine: engine ?? (() => null),
  }
  if (store.nodes === null) return createSingleNode(self, clock)
  const today = (): number => dayOf(clock.now(), config.timeZone)
  const lease = await openNodeLease({
    ...{ records: store.nodes, self, times, clock, log, onLost, onNodeEnded, today },
    endsOthers: engine === undefined,
  })
  closers.add(() => lease.close())
  return lease
}

const createStatus = (
  models: Pick<Models, 'list'>,
  { upstreams, secretKeys, checks }: Pick<NodeDependencies, 'upstreams' | 'secretKeys' | 'checks'>,
): (() => NodeStatus) => {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization: busy } = performance.eventLoopUtilization(now, last)
    last = now
    const pools = models.list()
    const engines = pools.flatMap((pool) => pool.status().process ?? [])
    return {
      running: sum(pools, ({ queue }) => queue.running),
      waiting: sum(pools, ({ queue }) => queue.waiting),
      models: pools.map((pool) => ({ id: pool.model.id, state: pool.status().state })),
      memoryBytes: process.memoryUsage.rss(),
      engineMemoryBytes: engines.length === 0 ? null : engines.reduce((total, engine) => total + engine.memoryBytes, 0),
      gpus: [...new Set(engines.flatMap(({ gpu }) => gpu ?? []))],
      gpuFault: engines.find((engine) => engine.gpuFault !== null)?.gpuFault ?? null,
      busy: Math.round(Math.min(1, Math.max(0, busy)) * 1000) / 1000,
      ...(upstreams === undefined ? {} : { upstreams: upstreams() }),
      ...(secretKeys === undefined ? {} : { secretKeys: secretKeys() }),
      checks: checks(),
    }
  }
}

const sum = (pools: readonly ModelPool[], figure: (pool: ModelPool) => number): number =>
  pools.reduce((total, pool) => total + figure(pool), 0)
