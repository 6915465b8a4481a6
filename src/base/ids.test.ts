import { expect, test } from 'vitest'
import { newId } from './ids.ts'

test.each([
  ['req', /^req_[0-9A-Za-z]{24}$/],
  ['key', /^key_[0-9A-Za-z]{24}$/],
  ['org', /^org_[0-9A-Za-z]{24}$/],
  ['chatcmpl', /^chatcmpl-[0-9A-Za-z]{24}$/],
] as const)('an id of kind %s says so in front', (kind, pattern) => {
  expect(newId(kind)).toMatch(pattern)
})

test('no two ids are the same', () => {
  const ids = Array.from({ length: 10_000 }, () => newId('req'))
  expect(new Set(ids).size).toBe(ids.length)
})
