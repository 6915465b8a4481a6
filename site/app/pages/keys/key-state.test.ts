import { expect, test } from 'vitest'
import type { Key } from '../../../platform/types.ts'
import { inOrder, matches, passes, stateOf } from './key-state.ts'

const dayMs = 86_400_000
const now = new Date(2026, 10, 15, 12).getTime()
const key = (change: Partial<Key>): Key => ({
  id: 'key_1',
  name: 'production-web',
  prefix: 'hx_live_9fK3',
  lastFour: '7Qd2',
  createdAt: now - dayMs,
  expiresAt: null,
  revokedAt: null,
  suspendedAt: null,
  lastUsedAt: null,
  createdBy: null,
  ...change,
})

test('a key is live, ends soon, has expired or was revoked', () => {
  expect(stateOf(key({}), now)).toBe('live')
  expect(stateOf(key({ expiresAt: now + 6 * dayMs }), now)).toBe('ending')
  expect(stateOf(key({ expiresAt: now + 90 * dayMs }), now)).toBe('live')
  expect(stateOf(key({ suspendedAt: now, expiresAt: now + 6 * dayMs }), now)).toBe('suspended')
  expect(stateOf(key({ expiresAt: now }), now)).toBe('expired')
  expect(stateOf(key({ expiresAt: now - dayMs, revokedAt: now }), now)).toBe('revoked')
})

test('a key that ends soon is found among the live ones', () => {
  expect(passes(key({ expiresAt: now + dayMs }), 'live', now)).toBe(true)
  expect(passes(key({ revokedAt: now }), 'live', now)).toBe(false)
})

test('a key is found by name and by its last four, however they are written', () => {
  expect(matches(key({}), ' Production ')).toBe(true)
  expect(matches(key({}), '7qd2')).toBe(true)
  expect(matches(key({}), 'hx_live_9fK3…7Qd2')).toBe(true)
  expect(matches(key({}), 'staging')).toBe(false)
})

test('newest first, and what no longer works below', () => {
  const keys = [
    key({ id: 'revoked', createdAt: now, revokedAt: now }),
    key({ id: 'older', createdAt: now - 5 }),
    key({ id: 'newer', createdAt: now - 1 }),
  ]
  expect(inOrder(keys, now).map(({ id }) => id)).toEqual(['newer', 'older', 'revoked'])
})
