import { setImmediate } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { callerWith } from '../../../test/harness/open-limiter.ts'
import { openLimiterNodes } from '../../../test/harness/redis/open-limiter-nodes.ts'
import { type RedisServer, startRedis } from '../../../test/harness/redis/start-redis.ts'
import { startedRedis } from '../../../test/harness/redis/started-redis.ts'
import { ApiError } from '../../base/api-error.ts'
import { redisScript } from '../../redis/redis-script.ts'

const started = await startedRedis()
const flush = redisScript(`return redis.call('FLUSHALL')`)
const { url, program } = started ?? { url: '', program: null }

type Nodes = Awaited<ReturnType<typeof openLimiterNodes>>
type Begun = Awaited<ReturnType<Nodes['it']['begin']>>

/** Those of these requests that are admitted. */
const admitted = async ({ it }: Nodes, caller: ReturnType<typeof callerWith>, count: number, tokens = 1) => {
  const all = await Promise.all(
    Array.from({ length: count }, () =>
      it.begin(caller, tokens).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        return error
      }),
    ),
  )
  const begun = all.filter((one): one is Begun => !(one instanceof ApiError))
  const errors = all.filter((one) => one instanceof ApiError).map(({ errorName }) => errorName)
  return { begun, errors: [...new Set(errors)] }
}

/** Until all nodes have said what they have counted: settlements are not waited for. */
const usedOf = async (
  { it }: Nodes,
  caller: ReturnType<typeof callerWith>,
  expected: Partial<Record<'requestsInFlight' | 'tokensPerMinute' | 'tokensPerDay', number>>,
): Promise<void> => {
  for (;;) {
    const [ofKey] = await it.usageSnapshots(caller)
    const names = ['requestsInFlight', 'tokensPerMinute', 'tokensPerDay'] as const
    if (names.every((name) => expected[name] === undefined || ofKey?.uses[name]?.used === expected[name])) return
    await setImmediate()
  }
}

describe.skipIf(started === null)('nodes on one Redis', () => {
  test('five hundred parallel requests over three nodes never exceed a limit in any 60 seconds', async () => {
    await using nodes = await openLimiterNodes(url, { nodes: 3, settings: { organisationTokensPerMinute: 1_000 } })
    const { it } = nodes
    const caller = callerWith({
      requestsPerMinute: 100,
      requestsInFlight: 30,
      tokensPerDay: 1_500,
      tokensPerMinute: 900,
    })
    const times: { atMs: number; tokens: number }[] = []
    let [running, settled, refused] = [0, 0, 0]
    await Promise.all(
      Array.from({ length: 500 }, async (_, index) => {
        for (let turn = 0; turn < index % 50; turn += 1) await setImmediate()
        if (index % 50 === 0) it.clock.advance(7_000)
        const tokens = 1 + (index % 20)
        try {
          const begun =
            index % 2 === 0 ? await it.begin(caller, tokens) : await (await it.precheck(caller)).admit(tokens)
          running += 1
          expect(running).toBeLessThanOrEqual(30)
          for (let turn = 0; turn < index % 7; turn += 1) await setImmediate()
          running -= 1
          settled += tokens
          begun.end(tokens)
          times.push({ atMs: it.clock.monotonicMs(), tokens })
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          refused += 1
        }
      }),
    )
    for (const { atMs } of times) {
      const window = times.filter((one) => one.atMs >= atMs && one.atMs < atMs + 60_000)
      expect(window.length).toBeLessThanOrEqual(100)
      expect(window.reduce((sum, one) => sum + one.tokens, 0)).toBeLessThanOrEqual(900)
    }
    expect(times.length).toBeGreaterThan(0)
    expect(times.length + refused).toBe(500)
    expect(settled).toBeLessThanOrEqual(1_500)
    await usedOf(nodes, caller, { requestsInFlight: 0, tokensPerDay: settled })
  })

  test('what a node left when it died is released once the ledger has settled it', async () => {
    await using nodes = await openLimiterNodes(url, { nodes: 2 })
    const caller = callerWith({ requestsInFlight: 2, tokensPerMinute: 100, tokensPerDay: 100 })
    // One at each node.
    const { begun } = await admitted(nodes, caller, 2, 40)
    expect(begun).toHaveLength(2)
    expect((await admitted(nodes, caller, 1)).errors).toEqual(['rate_limit_in_flight'])
    const id = await nodes.kill(0)
    await nodes.limiters[0]?.releaseNode(id)
    await nodes.limiters[0]?.releaseNode(id)
    await usedOf(nodes, caller, { requestsInFlight: 1, tokensPerMinute: 80, tokensPerDay: 40 })
    await nodes.limiters[0]?.releaseNode('node_unknown')
    expect((await admitted(nodes, caller, 1, 20)).begun).toHaveLength(1)
  })
})

describe.skipIf(program === null)('how often Redis is asked', () => {
  /** How many scripts it has run. */
  const scriptsOf = async (server: RedisServer): Promise<number> => {
    const client = createClient({ url: server.url })
    await client.connect()
    const statistics = String(await client.sendCommand(['INFO', 'commandstats']))
    client.destroy()
    return [...statistics.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)].reduce(
      (sum, [, calls]) => sum + Number(calls),
      0,
    )
  }

  test('twice for a request that is far from all limits: at its admission and when it is written', async () => {
    const server = await startRedis(program ?? '')
    await using nodes = await openLimiterNodes(server.url, { nodes: 1 })
    const caller = callerWith({ requestsPerMinute: 1_000, requestsInFlight: 100, tokensPerDay: 10_000 })
    const ask = async (): Promise<void> => {
      const pending = await nodes.it.precheck(caller)
      const running = await pending.admit(10)
      const written = setImmediate()
      running.end(5, written)
      await written
      pending.release()
    }
    // The first loads the sum.
    await ask()
    await usedOf(nodes, caller, { requestsInFlight: 0, tokensPerDay: 5 })
    const before = await scriptsOf(server)
    for (let count = 0; count < 20; count += 1) await ask()
    // Over the same connection, so it comes last.
    await nodes.connections[0]?.redis.call('GET', 'any')
    expect((await scriptsOf(server)) - before).toBe(40)
    await usedOf(nodes, caller, { requestsInFlight: 0, tokensPerDay: 105 })
    await server.close()
  })

  test('at the precheck too if a limit is near, and requests that wait for their admission count there', async () => {
    await using nodes = await openLimiterNodes(url, { nodes: 1 })
    const { it } = nodes
    const caller = callerWith({ requestsInFlight: 8 })
    ;(await it.begin(caller, 1)).end(1)
    const pending = await Promise.all(Array.from({ length: 8 }, () => it.precheck(caller)))
    expect((await it.usageSnapshots(caller))[0]?.uses.requestsInFlight?.used).toBe(8)
    await expect(it.precheck(caller)).rejects.toMatchObject({ errorName: 'rate_limit_in_flight' })
    for (const one of pending) one.release()
    await usedOf(nodes, caller, { requestsInFlight: 0 })
  })
})

describe.skipIf(program === null)('a Redis that loses its data', () => {
  test('the windows and the running requests are there again before the next request is admitted', async () => {
    const server = await startRedis(program ?? '')
    await using nodes = await openLimiterNodes(server.url, { nodes: 3 })
    const { it } = nodes
    const caller = callerWith({ requestsPerMinute: 20, tokensPerMinute: 200, tokensPerDay: 90, requestsInFlight: 8 })
    const before = await admitted(nodes, caller, 6, 10)
    expect(before.begun).toHaveLength(6)
    before.begun.slice(0, 2).forEach((one) => void one.end(10))
    await usedOf(nodes, caller, { requestsInFlight: 4, tokensPerDay: 60 })
    await nodes.connections[0]?.redis.run(flush, ['any'], [])
    const after = await nodes.passingTime(admitted(nodes, caller, 30, 10))
    // 20 tokens are settled, 40 reserved, and the budget is 90. For a minute, running requests count twice in the window.
    expect(after.begun.length).toBeLessThanOrEqual(3)
    expect(after.begun.length).toBeGreaterThan(0)
    for (const one of [...before.begun.slice(2), ...after.begun]) one.end(10)
    await usedOf(nodes, caller, { requestsInFlight: 0, tokensPerDay: 60 + 10 * after.begun.length })
    it.clock.advance(60_000)
    await usedOf(nodes, caller, { tokensPerMinute: 0 })
    await server.close()
  })
})

/** As if nodes of an earlier version had written all of it: they know no origin. */
const forgetOrigins = redisScript(`redis.call('DEL', KEYS[1] .. 'origin', KEYS[1] .. 'current')
for _, key in ipairs(redis.call('KEYS', KEYS[1] .. 'e:*')) do redis.call('HDEL', key, 'z') end`)

test.skipIf(started === null)('after an upgrade, what older nodes have counted does not count twice', async () => {
  await using nodes = await openLimiterNodes(url, { nodes: 2 })
  const { it } = nodes
  const caller = callerWith({ requestsPerMinute: 20, tokensPerMinute: 400 })
  const before = await admitted(nodes, caller, 8, 10)
  for (const one of before.begun) one.end(10)
  await usedOf(nodes, caller, { tokensPerMinute: 80 })
  await nodes.connections[0]?.redis.run(forgetOrigins, ['{limits}:'], [])
  await nodes.passingTime(it.usageSnapshots(caller))
  const logged = nodes.connections.flatMap(({ log }) => log.lines.filter((line) => line.includes('limits_restored')))
  expect(logged.length).toBeGreaterThan(0)
  const after = await nodes.passingTime(admitted(nodes, caller, 30, 10))
  expect(after.begun).toHaveLength(12)
  for (const one of after.begun) one.end(10)
})

describe.skipIf(program === null)('while Redis is away', () => {
  test('a node admits its share of the rates, no request with a budget, and all of it counts afterwards', async () => {
    const server = await startRedis(program ?? '')
    await using nodes = await openLimiterNodes(server.url, { nodes: 3 })
    const { it } = nodes
    const rates = callerWith({ requestsPerMinute: 30, tokensPerMinute: 3_000 })
    const early = await admitted(nodes, rates, 3, 10)
    await server.close()
    expect((await admitted(nodes, callerWith({ tokensPerDay: 1_000 }), 4)).errors).toEqual(['limits_unavailable'])
    const unlimited = { organisationId: 'org_2', key: null }
    expect((await admitted(nodes, unlimited, 5)).begun).toHaveLength(5)
    const away = await admitted(nodes, rates, 60, 10)
    // Each has ten, and admitted one of them before.
    expect(away.begun).toHaveLength(27)
    expect(away.errors).toEqual(['rate_limit_requests'])
    for (const one of early.begun) one.end(10)
    away.begun[0]?.end(5)
    const back = Promise.all(
      nodes.connections.map(({ redis }) => new Promise<void>((resolve) => void redis.onReturned(resolve))),
    )
    const again = await startRedis(program ?? '', { port: Number(new URL(server.url).port) })
    await back
    const late = await nodes.passingTime(admitted(nodes, rates, 30, 10))
    expect(late.begun).toHaveLength(0)
    for (const one of away.begun.slice(1)) one.end(10)
    it.clock.advance(60_000)
    expect((await admitted(nodes, rates, 60, 10)).begun).toHaveLength(30)
    await again.close()
  })

  test('requests with limits are refused, if the settings say so', async () => {
    const server = await startRedis(program ?? '')
    await using nodes = await openLimiterNodes(server.url, { nodes: 1, settings: { limitsWithoutRedis: 'closed' } })
    await server.close()
    const { errors } = await admitted(nodes, callerWith({ requestsPerMinute: 100 }), 3)
    expect(errors).toEqual(['limits_unavailable'])
    expect((await admitted(nodes, callerWith(), 3)).begun).toHaveLength(3)
  })
})

test.skipIf(program === null)('all keys of a decision are on one node of a Redis cluster', async () => {
  const server = await startRedis(program ?? '', { cluster: 'alone' })
  await using nodes = await openLimiterNodes(`${server.url},${server.url}`, { nodes: 2 })
  const { it } = nodes
  it.setPrice({ promptMicros: 1_000_000, cachedMicros: 0, completionMicros: 2_000_000 })
  const caller = callerWith({
    ...{ requestsPerMinute: 10, tokensPerMinute: 100, requestsInFlight: 5, tokensPerDay: 100, tokensPerMonth: 100 },
    ...{ costPerDayMicros: 1_000, costPerMonthMicros: 1_000 },
  })
  const pending = await it.precheck(caller)
  const running = await pending.admit(10)
  expect(await running.extend(5)).toBe(5)
  running.end(12)
  ;(await it.precheck(caller)).refuse()
  await usedOf(nodes, caller, { requestsInFlight: 0, tokensPerDay: 12 })
  await nodes.limiters[0]?.releaseNode('node_1')
  await server.close()
})

test.skipIf(started === null)(
  'a clock of Redis that is set back keeps the windows for a minute, not for longer',
  async () => {
    const manual = createManualClock()
    let setBackMs = 0
    const clock = { ...manual, monotonicMs: () => manual.monotonicMs() - setBackMs }
    manual.advance(10_000_000)
    await using nodes = await openLimiterNodes(url, { nodes: 1, clock })
    const caller = callerWith({ requestsPerMinute: 3 })
    for (let count = 0; count < 3; count += 1) {
      await nodes.it.begin(caller, 1)
      manual.advance(5_000)
    }
    setBackMs = 3_600_000
    expect((await nodes.it.refusal(caller, 1))?.options.retryAfterMs).toBe(60_000)
    manual.advance(60_000)
    expect((await admitted(nodes, caller, 5)).begun).toHaveLength(3)
  },
)
