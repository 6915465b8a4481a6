import { describe, expect, test } from 'vitest'
import type { CreateAttemptLimit } from '../../../src/accounts/attempts/attempt-limit.ts'
import { createLocalAttemptLimits } from '../../../src/accounts/attempts/local-attempt-limit.ts'
import { createRedisAttemptLimits } from '../../../src/accounts/attempts/redis-attempt-limit.ts'
import { createKnownBrowsers } from '../../../src/accounts/sign-in/known-browsers.ts'
import { createRedisKnownBrowsers } from '../../../src/accounts/sign-in/redis-known-browsers.ts'
import { createManualClock } from '../../harness/manual-clock.ts'
import { openScratchRedis } from '../../harness/redis/open-scratch-redis.ts'
import { newRedisPrefix, startedRedis } from '../../harness/redis/started-redis.ts'

const started = await startedRedis()

/** So slow that nothing refills during a test. */
const rate = { max: 3, perMs: 1_000_000_000 }
const refillMs = rate.perMs / rate.max

type Opened = AsyncDisposable & { a: CreateAttemptLimit; b: CreateAttemptLimit }

/** What `AttemptLimit` promises: `a` and `b` are two users of the same limits. */
const suite = (open: () => Promise<Opened>): void => {
  test('of many attempts at the same moment as many succeed as the limit allows', async () => {
    await using opened = await open()
    const [a, b] = [opened.a('sign-in', rate), opened.b('sign-in', rate)]
    const consumed = await Promise.all([a, b, a, b, a, b, a, b].map((limit) => limit.tryConsume('x')))
    expect(consumed.filter(Boolean)).toHaveLength(3)
    expect(await b.used('x')).toBeCloseTo(3, 2)
  })

  test('a refused attempt says when the next one is possible', async () => {
    await using opened = await open()
    const [a, b] = [opened.a('sign-in', rate), opened.b('sign-in', rate)]
    for (const limit of [a, b, a]) await limit.consume('x')
    const refused = { errorName: 'too_many_attempts', options: { retryAfterMs: expect.closeTo(refillMs, -6) } }
    await expect(b.consume('x')).rejects.toMatchObject(refused)
    await expect(a.consume('x')).rejects.toMatchObject(refused)
  })

  test('names and kinds do not affect each other', async () => {
    await using opened = await open()
    const [signIn, mail] = [opened.a('sign-in', rate), opened.b('mail', rate)]
    for (let n = 0; n < 3; n += 1) await signIn.consume('x')
    expect(await signIn.tryConsume('x')).toBe(false)
    expect(await signIn.tryConsume('y')).toBe(true)
    expect(await mail.tryConsume('x')).toBe(true)
  })

  test('refunded and reset attempts no longer count', async () => {
    await using opened = await open()
    const [a, b] = [opened.a('sign-in', rate), opened.b('sign-in', rate)]
    for (let n = 0; n < 3; n += 1) await a.consume('x')
    await b.refund('x')
    expect(await a.tryConsume('x')).toBe(true)
    expect(await a.tryConsume('x')).toBe(false)
    await b.reset('x')
    expect(await a.used('x')).toBe(0)
    await a.refund('x')
    expect(await b.used('x')).toBe(0)
  })
}

describe('in one process', () =>
  suite(async () => {
    const create = createLocalAttemptLimits(createManualClock())
    const limits = new Map<string, ReturnType<CreateAttemptLimit>>()
    const shared: CreateAttemptLimit = (kind, rateOfKind) => {
      const limit = limits.get(kind) ?? create(kind, rateOfKind)
      limits.set(kind, limit)
      return limit
    }
    return { a: shared, b: shared, [Symbol.asyncDispose]: async () => {} }
  }))

const openNodes = async () => {
  const prefix = newRedisPrefix()
  const [first, second] = [
    await openScratchRedis(started?.url ?? '', { prefix }),
    await openScratchRedis(started?.url ?? '', { prefix }),
  ]
  const limitsOf = ({ redis, log: { log } }: typeof first): CreateAttemptLimit =>
    createRedisAttemptLimits({ redis, createLocal: createLocalAttemptLimits(createManualClock()), log })
  return {
    ...{ a: limitsOf(first), b: limitsOf(second), redisA: first.redis, redisB: second.redis },
    async [Symbol.asyncDispose]() {
      await Promise.all([first[Symbol.asyncDispose](), second[Symbol.asyncDispose]()])
    },
  }
}

describe.skipIf(started === null)('on Redis', () => {
  suite(openNodes)

  test('attempts come back evenly, by the clock of Redis', async () => {
    await using nodes = await openNodes()
    const quick = { max: 4, perMs: 4 }
    const limit = nodes.a('sign-in', quick)
    // However slow the test is, every attempt succeeds that waits for as long as it was told to.
    for (let n = 0; n < 12; n += 1)
      while (!(await limit.tryConsume('x'))) expect(await limit.used('x')).toBeLessThanOrEqual(4)
    expect(await limit.used('x')).toBeLessThanOrEqual(4)
  })

  test('while Redis is away each node goes on with what was consumed at itself', async () => {
    await using nodes = await openNodes()
    const [a, b] = [nodes.a('sign-in', rate), nodes.b('sign-in', rate)]
    await a.consume('x')
    await a.consume('x')
    await b.consume('x')
    expect(await b.tryConsume('x')).toBe(false)
    await Promise.all([nodes.redisA.close(), nodes.redisB.close()])
    expect(await b.used('x')).toBe(1)
    expect([await a.tryConsume('x'), await a.tryConsume('x')]).toEqual([true, false])
    await a.refund('x')
    await a.reset('x')
    expect(await a.used('x')).toBe(0)
  })

  test('a browser that signed in at one node is known at the others', async () => {
    await using nodes = await openNodes()
    const a = createRedisKnownBrowsers(nodes.redisA, createKnownBrowsers())
    const b = createRedisKnownBrowsers(nodes.redisB, createKnownBrowsers())
    await a.remember('ada@example.com', 'token')
    await a.remember('ada@example.com', null)
    expect(await b.has('ada@example.com', 'token')).toBe(true)
    expect(await b.has('ada@example.com', 'another')).toBe(false)
    expect(await b.has('ada@example.com', null)).toBe(false)
    await Promise.all([nodes.redisA.close(), nodes.redisB.close()])
    expect(await a.has('ada@example.com', 'token')).toBe(true)
    expect(await b.has('ada@example.com', 'token')).toBe(false)
    await b.remember('ada@example.com', 'token')
    expect(await b.has('ada@example.com', 'token')).toBe(true)
  })
})
