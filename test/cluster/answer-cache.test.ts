import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { openRedis } from '../../src/redis/open-redis.ts'
import { createRedisCache } from '../../src/replay/redis-cache.ts'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { type Cluster, hasCluster, startCluster } from '../harness/cluster.ts'
import { modelName } from '../harness/start-helix.ts'

const config = { cacheModels: [modelName], cacheStore: 'redis' } as const
const silent = { info: () => {}, warn: () => {}, error: () => {} }

/** The organisations that have answers there. */
const readOwners = async ({ redisUrl, redisPrefix: prefix }: Cluster): Promise<string[]> => {
  const redis = await openRedis({ addresses: [redisUrl], timeoutMs: 30_000, prefix, clock: systemClock, log: silent })
  try {
    return [...(await createRedisCache({ redis, exists: async () => true }).bytes()).keys()]
  } finally {
    await redis.close()
  }
}

describe.skipIf(!hasCluster)('the answer cache of a cluster, in Redis', () => {
  test('an answer of one node is sent again by another', async () => {
    const { node } = await startCluster({ nodes: 2, config })
    const ask = async (number: number) => {
      const response = await node(number).chat({ temperature: 0 }, { headers: node(1).authorized })
      await response.text()
      return response.headers.get('x-helix-cache')
    }
    expect(await ask(1)).toBe('miss')
    // It is stored a moment after it was sent; the first node asks until it is there.
    while ((await ask(1)) === 'miss');
    expect(await ask(2)).toBe('hit')
  })

  test('the answers of an organisation are deleted with it, and those of others stay', async () => {
    const cluster = await startCluster({ nodes: 1, config })
    const server = cluster.node(1)
    await claimServer(server)
    const carl = await signUp(server.url, 'carl@example.com')
    const organisationId = (await carl.load()).organisation?.id ?? ''
    const ask = async (headers: Record<string, string>): Promise<string | null> => {
      const response = await server.chat({ temperature: 0 }, { headers: { ...server.authorized, ...headers } })
      await response.text()
      return response.headers.get('x-helix-cache')
    }
    while ((await ask({})) === 'miss');
    while ((await ask({ authorization: `Bearer ${carl.firstKey.key}` })) === 'miss');
    const both = await readOwners(cluster)
    expect(both).toHaveLength(2)
    expect(both).toContain(organisationId)
    expect((await carl.post('/organisation/delete', { name: 'carl' })).status).toBe(204)
    expect(await readOwners(cluster)).toEqual(both.filter((id) => id !== organisationId))
  })
})
