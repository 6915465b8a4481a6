import { errorText, type Log } from '../../base/log.ts'
import { type Redis, RedisAway } from '../../redis/redis.ts'
import type { ClusterNodes } from './cluster-nodes.ts'
import { limitKeys } from './limit-keys.ts'

type Dependencies = {
  redis: Redis
  log: Log
  nodes: Pick<ClusterNodes, 'list'>
  /** Releases what a node has reserved. */
  release(nodeId: string): Promise<void>
}

/** Reservations of an unknown node are released after it was unknown in this many checks. */
const looksUntilReleased = 12

/**
 * Tracks how many nodes are alive, and which have ended. The reservations of an ended node are released once the ledger
 * has settled its requests; if Redis cannot be reached then, or the node that should have done it has died too, they
 * are released later.
 */
export const createKnownNodes = ({ redis, log, nodes, release }: Dependencies) => {
  const ended = new Set<string>()
  let count = 1
  let looks = 0
  let isFailing = false
  let unknownBefore: ReadonlySet<string> = new Set()

  const releaseEnded = async (): Promise<void> => {
    for (const id of [...ended]) {
      await release(id)
      ended.delete(id)
    }
  }

  /** The ledger has settled the requests of a node long before it is unknown for the second time. */
  const findForgotten = async (living: readonly string[]): Promise<void> => {
    const registered = await redis.call('ZRANGE', `${limitKeys}nodes`, 0, -1)
    const ids = Array.isArray(registered) ? registered.map(String) : []
    const unknown = new Set(ids.filter((id) => !living.includes(id)))
    for (const id of unknown) if (unknownBefore.has(id)) ended.add(id)
    unknownBefore = unknown
  }

  return {
    /** As last seen. */
    count: (): number => count,
    /** Call it every few seconds. */
    async look(): Promise<void> {
      try {
        const living = (await nodes.list()).map(({ id }) => id)
        count = Math.max(1, living.length)
        looks += 1
        if (looks % looksUntilReleased === 0) await findForgotten(living)
        await releaseEnded()
        isFailing = false
      } catch (error) {
        // PostgreSQL or Redis cannot be reached: the next check does it.
        if (error instanceof RedisAway || isFailing) return
        isFailing = true
        log.warn('nodes_not_listed', { error: errorText(error) })
      }
    },
    /** The ledger has settled its requests. */
    async end(nodeId: string): Promise<void> {
      ended.add(nodeId)
      await releaseEnded().catch((error: unknown) => {
        if (!(error instanceof RedisAway)) throw error
      })
    },
  }
}
