import { expect, test } from 'vitest'
import type { CachedRecord } from '../../../src/store/cache-contract.ts'
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
