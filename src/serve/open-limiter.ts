import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config/settings.ts'
import { createLimiter } from '../limits/create-limiter.ts'
import type { Limiter } from '../limits/limiter-contract.ts'
import type { ClusterNodes } from '../limits/redis/cluster-nodes.ts'
import type { NodeLease } from '../nodes/node-lease.ts'
import { type LeaseTimes, leaseTimes } from '../nodes/open-node-lease.ts'
import type { Price } from '../prices/price.ts'
import type { Redis } from '../redis/redis.ts'
import type { Store } from '../store/contract.ts'
import type { Corrected, OnCorrected } from '../usage/correct-guess.ts'
import type { Closers } from './closers.ts'

type LimiterDependencies = {
  config: Config
  clock: Clock
  log: Log
  store: Store
  /** Null: a single server keeps its limits itself. */
  redis: Redis | null
  node: Pick<NodeLease, 'id' | 'list'>
  findPrice(model: string): Price | null
  hasFreeModel(): boolean
}

export type LimitsTime = 'redis' | 'clock'

export type PreparedLimiter = {
  /** The ledger has settled the requests of a node that died: what it reserved is released. */
  onNodeEnded(nodeId: string): Promise<void>
  /** The ledger has other counts of these callers' requests than the limits were told. */
  onCorrected: OnCorrected
  open(dependencies: LimiterDependencies): Promise<Limiter>
}

type PrepareOptions = { closers: Closers; timeSource: LimitsTime | undefined; times?: LeaseTimes | undefined }

/** Prepared before the ledger is opened, so that it closes after the ledger has written the last requests. */
export const prepareLimiter = ({
  closers,
  timeSource = 'redis',
  times = leaseTimes,
}: PrepareOptions): PreparedLimiter => {
  /** Before there is a limiter. */
  const ended: string[] = []
  const corrected: Corrected[] = []
  let release: ((nodeId: string) => Promise<void>) | null = null
  let recount: OnCorrected = (one) => void corrected.push(one)
  let close = async (): Promise<void> => {}
  closers.add(() => close())
  return {
    async onNodeEnded(nodeId) {
      if (release === null) ended.push(nodeId)
      else await release(nodeId)
    },
    onCorrected: (one) => recount(one),
    async open({ config: settings, redis, node, ...dependencies }) {
      if (redis === null) {
        // Its sums are read from the ledger after this, and no other node guesses.
        recount = () => {}
        return createLimiter({ ...dependencies, settings })
      }
      // Loaded only where it is used.
      const { openRedisLimiter } = await import('../limits/redis/open-redis-limiter.ts')
      const { nodes: records } = dependencies.store
      const nodes: ClusterNodes = {
        // Engine nodes admit nothing, so they have no share of the limits.
        list: async () =>
          (await node.list())
            .filter(({ kind }) => kind === 'server')
            .map(({ id, seenMsAgo }) => ({ id, isSilent: seenMsAgo > maxBeatAgeMs(times) })),
        ended: async () => (await records?.ended()) ?? [],
        openRequests: async (id, after) => (await records?.openRequests(id, after)) ?? [],
      }
      const limiter = await openRedisLimiter({
        ...dependencies,
        settings,
        redis,
        nodeId: node.id,
        nodes,
        timeSource,
      })
      close = limiter.close
      release = limiter.releaseNode
      recount = limiter.recount
      for (const nodeId of ended) await release(nodeId)
      for (const one of corrected) recount(one)
      return limiter
    },
  }
}

/** An older heartbeat is overdue, with a second for the database: its node is busy, paused or dead. */
const maxBeatAgeMs = ({ beatMs, jitter }: LeaseTimes): number => beatMs * (1 + jitter) + 1_000
