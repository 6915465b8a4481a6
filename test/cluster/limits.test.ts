import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../src/config/settings.ts'
import { createScratchDatabase } from '../harness/postgres/scratch-database.ts'
import { startedPostgres } from '../harness/postgres/started-postgres.ts'
import { readError } from '../harness/read-error.ts'
import { type RedisServer, startRedis } from '../harness/redis/start-redis.ts'
import { startedRedis } from '../harness/redis/started-redis.ts'
import { type Helix, startHelix } from '../harness/start-helix.ts'
import { tempDir } from '../harness/temp-dir.ts'

const postgres = await startedPostgres()
const started = await startedRedis()
const program = started?.program ?? null

/** Two nodes on one database and a Redis of their own, which the test may stop. */
const startNodes = async (config: Partial<Config>): Promise<{ nodes: [Helix, Helix]; redis: RedisServer }> => {
  if (postgres === null || program === null) throw new Error('there is no PostgreSQL or no Redis')
  const database = await createScratchDatabase(postgres.url, postgres.template)
  onTestFinished(() => database[Symbol.asyncDispose]())
  const redis = await startRedis(program)
  onTestFinished(() => redis.close())
  const shared = { ...config, store: database.url, redis: redis.url, redisTimeoutMs: 30_000 }
  const [one, two] = [await tempDir(), await tempDir()]
  const first = await startHelix({ config: { ...shared, dataDir: one } })
  await copyFile(join(one, 'secrets.key'), join(two, 'secrets.key'))
  const second = await startHelix({ config: { ...shared, dataDir: two } })
  return { nodes: [first, second], redis }
}

/** All at once, half of them at each node. */
const chatAtBoth = async ([one, two]: [Helix, Helix], count: number) => {
  const headers = one.authorized
  const responses = await Promise.all(
    Array.from({ length: count }, (_, index) => (index % 2 === 0 ? one : two).chat({}, { headers })),
  )
  const statuses = responses.map(({ status }) => status)
  return { responses, statuses, admitted: statuses.filter((status) => status === 200).length }
}

describe.skipIf(postgres === null || program === null)('two nodes with one Redis', () => {
  test('share the limits of a minute, and say so in the headers', async () => {
    const { nodes } = await startNodes({ requestsPerMinute: 6 })
    const { responses, statuses, admitted } = await chatAtBoth(nodes, 12)
    expect(admitted).toBe(6)
    expect(statuses.filter((status) => status === 429)).toHaveLength(6)
    const remaining = responses.map(({ headers }) => headers.get('x-ratelimit-remaining-requests'))
    expect(remaining).toContain('0')
    for (const refused of responses.filter(({ status }) => status === 429)) {
      expect(await readError(refused)).toMatchObject({ code: 'rate_limit_exceeded' })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })

  test('share a budget', async () => {
    const { nodes } = await startNodes({ tokensPerDay: 60 })
    const { responses, statuses, admitted } = await chatAtBoth(nodes, 10)
    expect(admitted).toBeGreaterThan(0)
    expect(statuses).toContain(429)
    let used = 0
    for (const response of responses.filter(({ ok }) => ok)) {
      const { usage } = (await response.json()) as { usage: { total_tokens: number } }
      used += usage.total_tokens
    }
    expect(used).toBeLessThanOrEqual(60)
  })

  test('without it, each admits its share of the rates', async () => {
    const { nodes, redis } = await startNodes({ requestsPerMinute: 6 })
    await redis.close()
    const { admitted, statuses } = await chatAtBoth(nodes, 24)
    // The first node may not have looked for the second one yet.
    expect(admitted).toBeGreaterThanOrEqual(6)
    expect(admitted).toBeLessThanOrEqual(9)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    for (const node of nodes) await node.logged({ event: 'redis_away' })
  })

  test('without it, requests with a budget are refused, and admitted once it has returned', async () => {
    const { nodes, redis } = await startNodes({ tokensPerDay: 1_000_000 })
    await redis.close()
    const { statuses, responses } = await chatAtBoth(nodes, 4)
    expect(statuses).toEqual([503, 503, 503, 503])
    for (const refused of responses) {
      expect(await readError(refused)).toMatchObject({ code: 'limits_unavailable' })
      expect(refused.headers.get('retry-after')).toBe('1')
    }
    const again = await startRedis(program ?? '', { port: Number(new URL(redis.url).port) })
    onTestFinished(() => again.close())
    for (const node of nodes) await node.logged({ event: 'redis_returned' })
    expect((await chatAtBoth(nodes, 4)).admitted).toBe(4)
  })
})
