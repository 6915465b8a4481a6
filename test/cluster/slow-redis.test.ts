import { describe, expect, onTestFinished, test } from 'vitest'
import { hasCluster, startCluster } from '../harness/cluster.ts'
import { startRedis } from '../harness/redis/start-redis.ts'
import { startedRedis } from '../harness/redis/started-redis.ts'

const redis = await startedRedis()

describe.skipIf(!hasCluster)('nodes whose Redis does not answer', () => {
  test('admit their shares of the rates once the time for a command has passed, and all of them answer', async () => {
    const own = await startRedis(redis?.program ?? '')
    onTestFinished(() => own.close())
    const config = { redis: own.url, redisTimeoutMs: 5_000, requestsPerMinute: 6 }
    const { nodes } = await startCluster({ nodes: 2, config })
    const readiness = async () => (await nodes[0]?.get('/readyz'))?.json()
    expect(await readiness()).toMatchObject({ status: 'ready', checks: { redis: 'ok' } })
    // Connected, and silent.
    process.kill(own.pid, 'SIGSTOP')
    onTestFinished(() => void process.kill(own.pid, 'SIGCONT'))
    const headers = nodes[0]?.authorized ?? {}
    const asked = nodes.flatMap((node) => Array.from({ length: 12 }, () => node.chat({}, { headers })))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    const admitted = statuses.filter((status) => status === 200).length
    // Three each; the first node may not have looked for the second one yet.
    expect(admitted).toBeGreaterThanOrEqual(6)
    expect(admitted).toBeLessThanOrEqual(9)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    for (const node of nodes) await node.logged({ event: 'redis_away' })
    expect(await readiness()).toMatchObject({ status: 'ready', checks: { redis: 'away' } })
  })
})
