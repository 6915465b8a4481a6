import { expect, test } from 'vitest'
import { newId, newRequestId } from './ids.ts'

test.each([
  ['key', /^key_[0-9A-Za-z]{24}$/],
  ['org', /^org_[0-9A-Za-z]{24}$/],
  ['chatcmpl', /^chatcmpl-[0-9A-Za-z]{24}$/],
] as const)('an id of kind %s begins with it', (kind, pattern) => {
  expect(newId(kind)).toMatch(pattern)
})

test('ids are unique', () => {
  const ids = Array.from({ length: 10_000 }, () => newId('key'))
  const requests = Array.from({ length: 10_000 }, () => newRequestId(1_800_000_000_000))
  expect(new Set([...ids, ...requests]).size).toBe(20_000)
})

test('all digits are equally frequent', () => {
  const counts = new Map<string, number>()
  const all = Array.from({ length: 10_000 }, () => newId('key').slice('key_'.length)).join('')
  for (const digit of all) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  const expected = all.length / 62
  // Ten times the usual deviation: chance alone does not get there.
  const far = [...counts].filter(([, count]) => Math.abs(count - expected) > 10 * Math.sqrt(expected))
  expect([counts.size, far]).toEqual([62, []])
})

test('request ids sort by creation time', () => {
  const times = [0, 61, 62, 1_799_999_999_999, 1_800_000_000_000, 1_800_000_000_061, 4_000_000_000_000]
  const ids = times.map(newRequestId)
  expect(ids.toSorted()).toEqual(ids)
  for (const id of ids) expect(id).toMatch(/^req_[0-9A-Za-z]{24}$/)
})
