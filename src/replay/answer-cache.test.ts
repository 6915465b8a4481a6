import { expect, test } from 'vitest'
import { createLogCatcher } from '../../test/harness/log-catcher.ts'
import { createManualClock } from '../../test/harness/manual-clock.ts'
import type { CachedRecord, CacheRecords } from '../store/cache-contract.ts'
import { type CachedAnswer, openAnswerCache } from './answer-cache.ts'

const nameOf = ({ organisationId, keyHash }: Pick<CachedRecord, 'organisationId' | 'keyHash'>): string =>
  `${organisationId} ${Buffer.from(keyHash).toString()}`

/** The contract of the store in memory; `test/contracts/store/` holds the real ones against it. */
const createRecords = () => {
  const kept = new Map<string, CachedRecord>()
  const of = (organisationId: string) => [...kept].filter(([, record]) => record.organisationId === organisationId)
  const records: CacheRecords = {
    find: async (organisationId, keyHash) => kept.get(nameOf({ organisationId, keyHash })) ?? null,
    insert: async (record) => void kept.set(nameOf(record), record),
    remove: async (organisationId, keyHash) => void kept.delete(nameOf({ organisationId, keyHash })),
    removeExpired: async (now) => {
      const due = [...kept].filter(([, { expiresAt }]) => expiresAt <= now)
      for (const [name] of due) kept.delete(name)
      return due.length
    },
    removeOldest: async (organisationId) => (kept.delete(of(organisationId)[0]?.[0] ?? '') ? 1 : 0),
    bytes: async () => {
      const sums = new Map<string, number>()
      for (const { organisationId, facts, content } of kept.values())
        sums.set(organisationId, (sums.get(organisationId) ?? 0) + facts.length + content.length)
      return sums
    },
  }
  return { kept, records }
}

const open = (limitBytes = 1_000_000) => {
  const clock = createManualClock()
  const { kept, records } = createRecords()
  const { log, lines } = createLogCatcher({ clock, format: 'json' })
  const options = { records, retentionHours: () => 1, limitBytes, answerLimitBytes: 100, clock, log }
  return { cache: openAnswerCache(options), kept, clock, lines }
}
const answer = (text: string): CachedAnswer => ({
  requestId: 'req_1',
  facts: {
    ...{ answerId: 'chatcmpl-1', promptTokens: 1, completionTokens: 2, reasoningTokens: 0, isEstimated: false },
    ...{ finishReason: 'stop', lastEvents: 1 },
  },
  events: [text, 'end'],
})
const name = (organisationId: string, hash: string) => ({ organisationId, keyHash: Buffer.from(hash) })

test('an answer comes back as it was stored', async () => {
  const { cache } = open()
  await cache.store(name('org', 'a'), answer('{}'))
  expect(await cache.find(name('org', 'a'))).toEqual(answer('{}'))
  expect(await cache.find(name('org', 'b'))).toBeNull()
})

test('beyond its size, the oldest of the organisation with the most make room', async () => {
  const { cache, kept } = open(2_000)
  await cache.store(name('small', 'a'), answer('x'.repeat(100)))
  for (let n = 0; n < 40; n += 1) await cache.store(name('large', `${n}`), answer('x'.repeat(100)))
  const bytes = [...kept.values()].reduce((sum, { facts, content }) => sum + facts.length + content.length, 0)
  expect(bytes).toBeLessThanOrEqual(2_000)
  expect(await cache.find(name('small', 'a'))).not.toBeNull()
  expect(await cache.find(name('large', '39'))).not.toBeNull()
  expect(await cache.find(name('large', '0'))).toBeNull()
})

test('what has expired is removed within the hour', async () => {
  const { cache, kept, clock } = open()
  await cache.store(name('org', 'a'), answer('{}'))
  clock.advance(3_333_000)
  expect(kept.size).toBe(1)
  clock.advance(3_333_000)
  await cache.store(name('org', 'b'), answer('{}'))
  expect([...kept.values()].map(({ createdAt }) => createdAt)).toEqual([clock.now()])
  await cache.close()
})

test('an answer that is too long is not collected to its end', () => {
  const { cache } = open()
  const collected = cache.collect('org')
  collected.add('x'.repeat(50))
  expect(collected.take()).toHaveLength(1)
  collected.add('x'.repeat(51))
  collected.add('end')
  expect(collected.take()).toBeNull()
  collected.close()
})
