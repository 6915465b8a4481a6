import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../src/base/api-error.ts'
import { createRedisMessages } from '../../src/redis/redis-messages.ts'
import { createRedisCache } from '../../src/replay/redis-cache.ts'
import { createRedisEvents } from '../../src/replay/shared/redis-events.ts'
import { callerWith } from '../harness/open-limiter.ts'
import { openLimiterNodes } from '../harness/redis/open-limiter-nodes.ts'
import { openScratchRedis } from '../harness/redis/open-scratch-redis.ts'
import { type RedisCluster, startRedisCluster } from '../harness/redis/start-redis-cluster.ts'
import { newRedisPrefix, startedRedis } from '../harness/redis/started-redis.ts'

const { program = null } = (await startedRedis()) ?? {}
let cluster: RedisCluster

type Nodes = Awaited<ReturnType<typeof openLimiterNodes>>

/** Those of these requests that are admitted. */
const admitted = async ({ it }: Nodes, caller: ReturnType<typeof callerWith>, count: number) => {
  const all = await Promise.all(
    Array.from({ length: count }, () =>
      it.begin(caller, 10).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        return null
      }),
    ),
  )
  return all.filter((one) => one !== null)
}

describe.skipIf(program === null)('a Redis cluster of three nodes', () => {
  beforeAll(async () => {
    cluster = await startRedisCluster(program ?? '')
  })
  afterAll(() => cluster.close())

  test('limits hold for requests at three servers', async () => {
    await using nodes = await openLimiterNodes(cluster.urls, { nodes: 3 })
    const { it } = nodes
    it.setPrice({ promptMicros: 1_000_000, cachedMicros: 0, completionMicros: 2_000_000 })
    const caller = callerWith({
      ...{ requestsPerMinute: 40, tokensPerMinute: 1_000, requestsInFlight: 20, tokensPerDay: 300 },
      ...{ tokensPerMonth: 1_000, costPerDayMicros: 100_000, costPerMonthMicros: 1_000_000 },
    })
    const first = await admitted(nodes, caller, 100)
    expect(first).toHaveLength(20)
    expect(await first[0]?.extend(5)).toBe(5)
    for (const one of first) one.end(10)
    ;(await it.precheck(caller)).refuse()
    const usedOf = async () => (await it.usageSnapshots(caller))[0]?.uses
    while ((await usedOf())?.requestsInFlight?.used !== 0) await nodes.connections[0]?.redis.call('GET', 'any')
    expect((await usedOf())?.tokensPerDay?.used).toBe(200)
    expect(await admitted(nodes, caller, 100)).toHaveLength(10)
  })

  test('messages and the events of answers reach the other servers, whichever node has their keys', async () => {
    const prefix = newRedisPrefix()
    await using one = await openScratchRedis(cluster.urls, { prefix })
    await using other = await openScratchRedis(cluster.urls, { prefix })
    const [from, to] = [createRedisMessages(one.redis), createRedisMessages(other.redis)]
    const received: string[] = []
    to.subscribe('keys', (ids) => void received.push(...ids))
    // A cluster's messages go over a connection of their own, so nothing says when it has subscribed.
    while (received.length === 0) {
      from.publish('keys', ['key_1'])
      await one.redis.call('GET', 'any')
    }
    expect(received[0]).toBe('key_1')

    const [writer, reader] = [one, other].map(({ redis }) => createRedisEvents({ redis, graceMs: 1_000 }))
    if (writer === undefined || reader === undefined) throw new Error('there are two')
    const ids = Array.from({ length: 20 }, (_, index) => `req_${index}`)
    const more = new Set<string>()
    for (const id of ids) reader.onMore(id, () => void more.add(id))
    const part = { events: ['a'], end: null }
    await Promise.all(ids.map(async (id) => expect(await writer.append(id, 0, part)).toBeGreaterThan(0)))
    for (const id of ids) expect((await reader.read(id, 0)).events).toHaveLength(1)
    await writer.attend(ids)
    for (const id of ids) expect(await reader.attendedMs(id)).toBeGreaterThan(0)
    const owners = new Set(await Promise.all(ids.map((id) => cluster.ownerOf(`${prefix}{replay:${id}}:events`))))
    expect(owners.size).toBe(3)
  })

  test('the address of any one node is enough, and cached answers are on all of them', async () => {
    for (const url of cluster.urls.split(',')) {
      const prefix = newRedisPrefix()
      await using one = await openScratchRedis(url, { prefix })
      const cache = createRedisCache({ redis: one.redis, exists: async () => true })
      const organisations = Array.from({ length: 12 }, (_, index) => `org_${index}`)
      const keyHash = Uint8Array.of(1, 2, 3)
      const record = { keyHash, requestId: 'req_1', checksum: keyHash, facts: '{}', createdAt: 1, expiresAt: 100 }
      for (const organisationId of organisations)
        await cache.insert({ ...record, organisationId, content: `for ${organisationId}` })
      const found = await Promise.all(organisations.map((organisationId) => cache.find(organisationId, keyHash, 50)))
      expect(found.map((each) => each?.content)).toEqual(organisations.map((each) => `for ${each}`))
      expect((await cache.bytes()).size).toBe(organisations.length)
      const owners = organisations.map((each) => cluster.ownerOf(`${prefix}{cache:${each}}:answers`))
      expect(new Set(await Promise.all(owners)).size).toBe(3)
      expect(await cache.removeExpired(100)).toBe(organisations.length)
    }
  })

  test('limits hold after their keys were moved to another node', async () => {
    await using nodes = await openLimiterNodes(cluster.urls, { nodes: 2 })
    const caller = callerWith({ requestsPerMinute: 20, requestsInFlight: 12, tokensPerDay: 100 })
    const running = await admitted(nodes, caller, 8)
    expect(running).toHaveLength(8)
    const before = await cluster.ownerOf('{limits}')
    await cluster.moveSlotOf('{limits}')
    expect(await cluster.ownerOf('{limits}')).not.toBe(before)
    const later = await nodes.passingTime(admitted(nodes, caller, 30))
    expect(later.length).toBeLessThanOrEqual(2)
    for (const one of [...running, ...later]) one.end(10)
    nodes.it.clock.advance(60_000)
    expect((await nodes.passingTime(admitted(nodes, caller, 30))).length).toBe(2 - later.length)
  })
})
