import { expect, test } from 'vitest'
import { createLogCatcher } from '../../../test/harness/log-catcher.ts'
import { createManualClock, type ManualClock } from '../../../test/harness/manual-clock.ts'
import { openScratchRedis } from '../../../test/harness/redis/open-scratch-redis.ts'
import { newRedisPrefix, startedRedis } from '../../../test/harness/redis/started-redis.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Redis } from '../../redis/redis.ts'
import type { Claims } from '../../store/claim-contract.ts'
import type { ReplayRecord, ReplayRecords } from '../../store/replay-contract.ts'
import { bodyHash } from '../body-hash.ts'
import { createLocalClaims } from '../claims/local-claims.ts'
import type { Recorder } from '../recording.ts'
import { type IdempotentRequest, openReplays, type Replays } from '../replays.ts'
import type { Subscription } from '../subscription.ts'
import { createRedisEvents } from './redis-events.ts'

const started = await startedRedis()
const url = started?.url ?? ''
const never = new AbortController().signal

/** A store in memory that two nodes share. */
const createStored = () => {
  const stored: ReplayRecord[] = []
  const find: ReplayRecords['find'] = async (organisationId, keyHash) =>
    stored.find((one) => one.organisationId === organisationId && Buffer.compare(one.keyHash, keyHash) === 0) ?? null
  const records: ReplayRecords = {
    has: async (...wanted) => (await find(...wanted)) !== null,
    find,
    removeExpired: async () => 0,
    bytes: async () => new Map(),
  }
  return { records, stored, insert: async (record: ReplayRecord) => void stored.push(record) }
}

/** Claims of nodes of which one can die. */
const createMortalClaims = () => {
  const claims = createLocalClaims()
  let isDead = false
  const mortal: Claims = {
    ...claims,
    async claim(name, claim) {
      const found = await claims.claim(name, claim)
      return found === null ? null : { ...found, isHeld: !isDead }
    },
    async takeOver(name, requestId, claim) {
      if (!isDead) return false
      await claims.release(name, requestId)
      return (await claims.claim(name, claim)) === null
    },
    held: async (requestIds) => (isDead ? new Set() : claims.held(requestIds)),
  }
  return {
    claims: mortal,
    die: () => {
      isDead = true
    },
    live: () => {
      isDead = false
    },
  }
}

/** The claims as one of the nodes sees them. */
const claimsOfNode = (claims: Claims): Claims => {
  const own = new Set<string>()
  return {
    ...claims,
    claim(name, claim) {
      own.add(claim.requestId)
      return claims.claim(name, claim)
    },
    own: async () => (await claims.own()).filter(({ requestId }) => own.has(requestId)),
  }
}

type Node = { replays: Replays; send(more?: Partial<IdempotentRequest>): Promise<Subscription> }

const graceMs = 30_000

const openNodes = async () => {
  const prefix = newRedisPrefix()
  const [redisA, redisB] = [await openScratchRedis(url, { prefix }), await openScratchRedis(url, { prefix })]
  const clock = createManualClock()
  const store = createStored()
  const { claims, die, live } = createMortalClaims()
  let requests = 0
  const openNode = async (redis: Redis): Promise<Node> => {
    const replays = await openReplays({
      records: store.records,
      clock,
      log: createLogCatcher({ clock, format: 'json' }).log,
      resumeGraceMs: graceMs,
      replayRetentionHours: () => 24,
      replayAnswerLimitBytes: 100_000,
      replayMemoryLimitBytes: 1_000_000,
      replayDiskLimitBytes: 1_000_000,
      abandoned: () => new Error('abandoned'),
      shared: { claims: claimsOfNode(claims), events: createRedisEvents({ redis, graceMs }) },
    })
    const send: Node['send'] = (more = {}) => {
      requests += 1
      return replays.open({
        organisationId: 'org_1',
        keyId: 'key_1',
        idempotencyKey: 'key',
        bodyHash: bodyHash({ n: 1 }),
        stream: true,
        lastEventId: null,
        requestId: `req_${requests}`,
        completionId: `chatcmpl-${requests}`,
        maxBytes: 16_384,
        execute: () => Promise.reject(new Error('must not be executed')),
        ...more,
      })
    }
    return { replays, send }
  }
  const a = await openNode(redisA.redis)
  const b = await openNode(redisB.redis)
  return {
    ...{ a, b, clock, claims, die, live, redisA: redisA.redis, redisB: redisB.redis, ...store },
    async [Symbol.asyncDispose]() {
      await Promise.all([a.replays.close(), b.replays.close()])
      await Promise.all([redisA[Symbol.asyncDispose](), redisB[Symbol.asyncDispose]()])
    },
  }
}

/** A response whose events the test sends one by one. */
const createScript = (insert: (record: ReplayRecord) => Promise<void>) => {
  const begun = Promise.withResolvers<Recorder>()
  const finished = Promise.withResolvers<void>()
  const execute = async (recorder: Recorder): Promise<void> => {
    recorder.signal.addEventListener('abort', () => finished.reject(recorder.signal.reason))
    begun.resolve(recorder)
    await finished.promise
    await recorder.end(['end'], insert)
  }
  return {
    execute,
    say: async (...events: string[]) => {
      const recorder = await begun.promise
      for (const data of events) await recorder.append(data, never)
    },
    signal: async () => (await begun.promise).signal,
    finish: finished.resolve,
    fail: finished.reject,
  }
}

const receive = async (subscription: Subscription): Promise<string[]> => {
  const received: string[] = []
  try {
    for await (const { data } of subscription.events(never)) received.push(data)
  } catch (error) {
    received.push(error instanceof ApiError ? error.errorName : String(error))
  } finally {
    subscription.close()
  }
  return received
}

/** Moves the clock on until it is done: nodes look at each other once a second. */
const whileTimePasses = async <Value>(clock: ManualClock, work: Promise<Value>): Promise<Value> => {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(100)
  }
  return done
}

test.skipIf(started === null)(
  'a retry at another node gets the running answer from its beginning, and it is executed once',
  async () => {
    await using nodes = await openNodes()
    const { a, b, insert, stored } = nodes
    const script = createScript(insert)
    const first = await a.send({ execute: script.execute })
    await script.say('1', '2')
    const second = await b.send()
    expect(second).toMatchObject({ replayed: true, begun: true })
    await script.say('3')
    script.finish()
    expect(await Promise.all([receive(first), receive(second)])).toEqual([
      ['1', '2', '3', 'end'],
      ['1', '2', '3', 'end'],
    ])
    expect(stored).toHaveLength(1)
    const third = await b.send()
    expect(third.replayed).toBe(true)
    expect(await receive(third)).toEqual(['1', '2', '3', 'end'])
  },
)

test.skipIf(started === null)('a stream that broke at one node continues at another after its last event', async () => {
  await using nodes = await openNodes()
  const { a, b, insert } = nodes
  const script = createScript(insert)
  const first = await a.send({ execute: script.execute })
  await script.say('1', '2')
  first.close()
  const second = await b.send({ lastEventId: 'chatcmpl-1:0' })
  await script.say('3')
  script.finish()
  expect(await receive(second)).toEqual(['2', '3', 'end'])
})

test.skipIf(started === null)('another body is refused at every node while the answer is running', async () => {
  await using nodes = await openNodes()
  const { a, b, insert } = nodes
  const script = createScript(insert)
  const first = await a.send({ execute: script.execute })
  await expect(b.send({ bodyHash: bodyHash({ n: 2 }) })).rejects.toMatchObject({ errorName: 'idempotency_key_reuse' })
  script.finish()
  await receive(first)
})

test.skipIf(started === null)(
  'an error is sent to the requests at every node, and the next request is executed',
  async () => {
    await using nodes = await openNodes()
    const { a, b, insert } = nodes
    const script = createScript(insert)
    const first = await a.send({ execute: script.execute })
    await script.say('1')
    const second = await b.send()
    script.fail(ApiError.of('engine_failed', {}))
    expect(await Promise.all([receive(first), receive(second)])).toEqual([
      ['1', 'engine_failed'],
      ['1', 'engine_failed'],
    ])
    const again = createScript(insert)
    const third = await b.send({ execute: again.execute })
    again.finish()
    expect(third.replayed).toBe(false)
    expect(await receive(third)).toEqual(['end'])
  },
)

test.skipIf(started === null)('an answer that is read at another node is not abandoned', async () => {
  await using nodes = await openNodes()
  const { a, b, clock, insert } = nodes
  const script = createScript(insert)
  const first = await a.send({ execute: script.execute })
  await script.say('1')
  const second = await b.send()
  first.close()
  for (let n = 0; n < 10; n += 1) {
    clock.advance(graceMs)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await script.say('2')
  script.finish()
  expect(await receive(second)).toEqual(['1', '2', 'end'])
  expect((await script.signal()).aborted).toBe(false)
})

test.skipIf(started === null)(
  'when the node dies, the others send what there is and then an error, and the next request is executed',
  async () => {
    await using nodes = await openNodes()
    const { a, b, clock, die, live, insert } = nodes
    const script = createScript(insert)
    await a.send({ execute: script.execute })
    await script.say('1', '2')
    const second = await b.send()
    die()
    expect(await whileTimePasses(clock, receive(second))).toEqual(['1', '2', 'node_lease_expired'])
    await expect(b.send({ lastEventId: 'chatcmpl-1:1' })).rejects.toMatchObject({ errorName: 'stream_not_resumable' })
    const again = createScript(insert)
    const third = await b.send({ execute: again.execute })
    live()
    again.finish()
    expect(third.replayed).toBe(false)
    expect(await receive(third)).toEqual(['end'])
  },
)

test.skipIf(started === null)(
  'an answer that was complete when its node died is replayed, although it could not be stored',
  async () => {
    await using nodes = await openNodes()
    const { a, b, clock, die } = nodes
    const script = createScript(() => new Promise(() => {}))
    const first = await a.send({ execute: script.execute })
    await script.say('1')
    script.finish()
    expect(await whileTimePasses(clock, receive(first))).toEqual(['1', 'end'])
    const second = await b.send()
    expect(await receive(second)).toEqual(['1', 'end'])
    die()
    expect(await receive(await b.send())).toEqual(['1', 'end'])
    expect(await receive(await b.send({ lastEventId: 'chatcmpl-1:0' }))).toEqual(['end'])
  },
)

test.skipIf(started === null)('events that Redis lost are written again', async () => {
  await using nodes = await openNodes()
  const { a, b, redisA, insert } = nodes
  const script = createScript(insert)
  const first = await a.send({ execute: script.execute })
  await script.say('1', '2')
  const second = await b.send()
  await redisA.call('DEL', '{replay:req_1}:events')
  await script.say('3')
  script.finish()
  expect(await receive(second)).toEqual(['1', '2', '3', 'end'])
  expect(await receive(first)).toEqual(['1', '2', '3', 'end'])
})

test.skipIf(started === null)('without Redis the answer comes from the store when it is complete', async () => {
  await using nodes = await openNodes()
  const { a, b, clock, redisA, redisB, insert } = nodes
  const script = createScript(insert)
  const first = await a.send({ execute: script.execute })
  await Promise.all([redisA.close(), redisB.close()])
  await script.say('1')
  const second = b.send()
  script.finish()
  expect(await receive(first)).toEqual(['1', 'end'])
  expect(await whileTimePasses(clock, second.then(receive))).toEqual(['1', 'end'])
})
