import { describe, expect, test } from 'vitest'
import { openAnswerCache } from '../../../src/replay/answer-cache.ts'
import { createRedisCache } from '../../../src/replay/redis-cache.ts'
import type { CachedRecord } from '../../../src/store/cache-contract.ts'
import { createManualClock } from '../../harness/manual-clock.ts'
import { openScratchRedis } from '../../harness/redis/open-scratch-redis.ts'
import { startedRedis } from '../../harness/redis/started-redis.ts'
import { eachStore } from './each-store.ts'

const recordOf = (organisationId: string, n: number, changes: Partial<CachedRecord> = {}): CachedRecord => ({
  organisationId,
  keyHash: new Uint8Array(32).fill(n),
  requestId: `req_${n}`,
  checksum: new Uint8Array(32).fill(9),
  facts: '{"n":1}',
  content: 'はい',
  createdAt: n,
  expiresAt: 100 + n,
  ...changes,
})

eachStore((create) => {
  test('an answer is found by its organisation and hash until it expires, and the first one stays', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    const record = recordOf(id, 1)
    await store.cache.insert(record)
    await store.cache.insert({ ...record, content: 'later', createdAt: 50 })
    expect(await store.cache.find(id, record.keyHash, 100)).toEqual(record)
    expect(await store.cache.find(id, record.keyHash, 101)).toBeNull()
    expect(await store.cache.find('org_other', record.keyHash, 1)).toBeNull()
    await store.cache.insert({ ...record, content: 'later', createdAt: 101, expiresAt: 200 })
    expect(await store.cache.find(id, record.keyHash, 150)).toMatchObject({ content: 'later' })
    expect(await store.cache.bytes()).toEqual(new Map([[id, 12]]))
    await store.cache.remove(id, record.keyHash)
    expect(await store.cache.find(id, record.keyHash, 150)).toBeNull()
    await store.cache.insert(recordOf('org_unknown', 1))
    expect(await store.cache.bytes()).toEqual(new Map())
  })

  test('what has expired is removed, and the oldest where room is needed', async () => {
    await using data = await create()
    await using store = await data.open()
    const { id } = await store.organisations.first()
    for (let n = 1; n <= 3; n += 1) await store.cache.insert(recordOf(id, n))
    expect(await store.cache.removeExpired(101)).toBe(1)
    expect(await store.cache.find(id, recordOf(id, 2).keyHash, 50)).not.toBeNull()
    expect(await store.cache.removeOldest(id)).toBe(2)
    expect(await store.cache.bytes()).toEqual(new Map())
    expect(await store.cache.removeOldest(id)).toBe(0)
  })
})

const redis = await startedRedis()

describe.skipIf(redis === null)('Redis', () => {
  const start = async () => {
    const { redis: connection, ...scratch } = await openScratchRedis(redis?.url ?? '')
    const existing = new Set(['org_1', 'org_2'])
    const cache = createRedisCache({ redis: connection, exists: async (id) => existing.has(id) })
    return { cache, connection, existing, [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose]() }
  }

  test('an answer is found by its organisation and hash until it expires, and the first one stays', async () => {
    await using started = await start()
    const { cache } = started
    const record = recordOf('org_1', 1)
    await cache.insert(record)
    await cache.insert({ ...record, content: 'later', createdAt: 50 })
    const found = await cache.find('org_1', record.keyHash, 100)
    expect(found && { ...found, checksum: Uint8Array.from(found.checksum) }).toEqual(record)
    expect(await cache.find('org_1', record.keyHash, 101)).toBeNull()
    expect(await cache.find('org_2', record.keyHash, 1)).toBeNull()
    await cache.insert({ ...record, content: 'later', createdAt: 101, expiresAt: 200 })
    expect(await cache.find('org_1', record.keyHash, 150)).toMatchObject({ content: 'later' })
    expect([...(await cache.bytes()).keys()]).toEqual(['org_1'])
    await cache.remove('org_1', record.keyHash)
    expect(await cache.find('org_1', record.keyHash, 150)).toBeNull()
    await cache.insert(recordOf('org_unknown', 1))
    expect(await cache.bytes()).toEqual(new Map())
  })

  test('what has expired is removed, and the oldest where room is needed', async () => {
    await using started = await start()
    const { cache } = started
    for (let n = 1; n <= 3; n += 1) await cache.insert(recordOf('org_1', n))
    expect(await cache.removeExpired(101)).toBe(1)
    expect(await cache.find('org_1', recordOf('org_1', 2).keyHash, 50)).not.toBeNull()
    expect(await cache.removeOldest('org_1')).toBe(2)
    expect(await cache.bytes()).toEqual(new Map())
    expect(await cache.removeOldest('org_1')).toBe(0)
  })

  test('answers are deleted with their organisation, and one that was stored meanwhile too', async () => {
    await using started = await start()
    const { cache, existing } = started
    for (const id of existing) await cache.insert(recordOf(id, 1))
    existing.delete('org_1')
    await cache.removeDeleted()
    expect(await cache.find('org_1', recordOf('org_1', 1).keyHash, 1)).toBeNull()
    expect(await cache.find('org_2', recordOf('org_2', 1).keyHash, 1)).not.toBeNull()
    expect([...(await cache.bytes()).keys()]).toEqual(['org_2'])
  })

  test('an entry that was cut short is never sent', async () => {
    await using started = await start()
    const { cache, connection } = started
    const record = recordOf('org_1', 1)
    await cache.insert(record)
    const field = Buffer.from(record.keyHash).toString('hex')
    const whole = String(await connection.call('HGET', '{cache:org_1}:answers', field))
    await connection.call('HSET', '{cache:org_1}:answers', field, whole.slice(0, -20))
    const log = { info: () => {}, warn: () => {}, error: () => {} }
    const limits = { retentionHours: () => 1, limitBytes: 1e6, answerLimitBytes: 1e6 }
    const answers = openAnswerCache({ records: cache, ...limits, clock: createManualClock(), log })
    expect(await answers.find({ organisationId: 'org_1', keyHash: record.keyHash })).toBeNull()
    await answers.close()
    expect(await connection.call('HGET', '{cache:org_1}:answers', field)).toBeNull()
  })
})
