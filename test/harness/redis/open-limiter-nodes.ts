import type { Config } from '../../../src/config/settings.ts'
import type { Limiter } from '../../../src/limits/limiter-contract.ts'
import type { ClusterNodes } from '../../../src/limits/redis/cluster-nodes.ts'
import { openRedisLimiter, type RedisLimiter } from '../../../src/limits/redis/open-redis-limiter.ts'
import type { OpenRequest } from '../../../src/store/node-contract.ts'
import { createManualClock, type ManualClock } from '../manual-clock.ts'
import { openLimiter } from '../open-limiter.ts'
import { openScratchRedis, type ScratchRedis } from './open-scratch-redis.ts'
import { newRedisPrefix } from './started-redis.ts'

type Options = { nodes: number; settings?: Partial<Config>; timeoutMs?: number; clock?: ManualClock }

/** Limiters of several nodes on one ledger and one Redis, each with a connection of its own. Requests go round. */
export const openLimiterNodes = async (
  url: string,
  { nodes, settings, timeoutMs, clock = createManualClock() }: Options,
) => {
  const prefix = newRedisPrefix()
  const ids = Array.from({ length: nodes }, (_, index) => `node_${index}`)
  const living = new Set(ids)
  const silent = new Set<string>()
  const open = new Map<string, readonly OpenRequest[]>()
  const cluster: ClusterNodes = {
    list: async () => [...living].map((id) => ({ id, isSilent: silent.has(id) })),
    ended: async () => [...open.keys()].filter((id) => !living.has(id)),
    openRequests: async (id, after) => (open.get(id) ?? []).filter(({ sequence }) => sequence > after),
  }
  const limiters: RedisLimiter[] = []
  const connections: ScratchRedis[] = []
  let turn = 0
  const next = (): RedisLimiter => {
    turn += 1
    const limiter = limiters[turn % limiters.length]
    if (limiter === undefined) throw new Error('there is a node')
    return limiter
  }
  const round: Limiter = {
    precheck: (caller, precheck) => next().precheck(caller, precheck),
    admit: (request) => next().admit(request),
    usageSnapshots: (organisationId, key) => next().usageSnapshots(organisationId, key),
    forget: (organisationId) => limiters.forEach((limiter) => void limiter.forget(organisationId)),
    refresh: () => limiters.forEach((limiter) => void limiter.refresh()),
  }
  const it = await openLimiter(settings, clock, async (dependencies) => {
    for (const id of ids) {
      const connection = await openScratchRedis(url, { prefix, ...(timeoutMs === undefined ? {} : { timeoutMs }) })
      connections.push(connection)
      const node = { nodeId: () => id, nodes: cluster, timeSource: 'clock' } as const
      const shared = { redis: connection.redis, log: connection.log.log }
      limiters.push(await openRedisLimiter({ ...dependencies, ...node, ...shared }))
    }
    return round
  })
  return {
    it,
    limiters,
    connections,
    /** As if its process had been killed. */
    async kill(index: number): Promise<string> {
      const [limiter] = limiters.splice(index, 1)
      const [connection] = connections.splice(index, 1)
      const [id = ''] = ids.splice(index, 1)
      await connection?.redis.close()
      await limiter?.close()
      living.delete(id)
      return id
    },
    /** As if its machine had lost its power: it has a lease, and left these requests open in the ledger. */
    async abandon(index: number, requests: readonly OpenRequest[]): Promise<string> {
      const [limiter] = limiters.splice(index, 1)
      const [connection] = connections.splice(index, 1)
      const [id = ''] = ids.splice(index, 1)
      await connection?.redis.close()
      await limiter?.close()
      open.set(id, requests)
      return id
    },
    leaveOpen: (id: string, requests: readonly OpenRequest[]) => void open.set(id, requests),
    /** Its heartbeat is overdue. */
    silence: (id: string) => void silent.add(id),
    /** Lets time pass until it is done, for what waits on the clock. */
    async passingTime<Result>(result: Promise<Result>): Promise<Result> {
      let isDone = false
      const done = (): void => {
        isDone = true
      }
      result.then(done, done)
      while (!isDone) {
        // So long that what a node has sent reaches the others.
        for (let trip = 0; trip < 5 && !isDone; trip += 1)
          await Promise.all(connections.map(({ redis }) => redis.call('GET', 'any').catch(() => {})))
        clock.advance(1)
      }
      return result
    },
    async [Symbol.asyncDispose]() {
      for (const limiter of limiters) await limiter.close()
      for (const connection of connections) await connection[Symbol.asyncDispose]()
    },
  }
}
