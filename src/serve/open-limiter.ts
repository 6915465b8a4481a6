import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config/settings.ts'
import { createLimiter } from '../limits/create-limiter.ts'
import type { Limiter } from '../limits/limiter-contract.ts'
import type { NodeLease } from '../nodes/node-lease.ts'
import type { Price } from '../prices/price.ts'
import type { Redis } from '../redis/redis.ts'
import type { Store } from '../store/contract.ts'
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
  open(dependencies: LimiterDependencies): Promise<Limiter>
}

type PrepareOptions = { closers: Closers; timeSource: LimitsTime | undefined }

/** Prepared before the ledger is opened, so that it closes after the ledger has written the last requests. */
export const prepareLimiter = ({ closers, timeSource = 'redis' }: PrepareOptions): PreparedLimiter => {
  /** Before there is a limiter. */
  const ended: string[] = []
  let release: ((nodeId: string) => Promise<void>) | null = null
  let close = async (): Promise<void> => {}
  closers.add(() => close())
  return {
    async onNodeEnded(nodeId) {
      if (release === null) ended.push(nodeId)
      else await release(nodeId)
    },
    async open({ config: settings, redis, node, ...dependencies }) {
      if (redis === null) return createLimiter({ ...dependencies, settings })
      // Loaded only where it is used.
      const { openRedisLimiter } = await import('../limits/redis/open-redis-limiter.ts')
      // Engine nodes admit nothing, so they have no share of the limits.
      const listNodes = async (): Promise<string[]> =>
        (await node.list()).filter(({ kind }) => kind === 'server').map(({ id }) => id)
      const limiter = await openRedisLimiter({
        ...dependencies,
        settings,
        redis,
        nodeId: node.id,
        listNodes,
        timeSource,
      })
      close = limiter.close
      release = limiter.releaseNode
      for (const nodeId of ended) await release(nodeId)
      return limiter
    },
  }
}
