import { expect, test } from 'vitest'
import type { Key } from '../../../platform/types.ts'
import { fullestBudget, inOrder, isEnding, keyState, matches, passes } from './key-state.ts'
import { sampleKey } from './sample-key.ts'

const dayMs = 86_400_000
const now = new Date(2026, 10, 15, 12).getTime()
const key = (change: Partial<Key>): Key => sampleKey({ createdAt: now - dayMs, ...change })

test('a key is live, ends soon, has expired or was revoked', () => {
  expect(keyState(key({}), now)).toBe('live')
  expect(keyState(key({ expiresAt: now + 6 * dayMs }), now)).toBe('ending')
  expect(keyState(key({ expiresAt: now + 90 * dayMs }), now)).toBe('live')
  expect(keyState(key({ suspendedAt: now, expiresAt: now + 6 * dayMs }), now)).toBe('suspended')
  expect(keyState(key({ expiresAt: now }), now)).toBe('expired')
  expect(keyState(key({ expiresAt: now - dayMs, revokedAt: now }), now)).toBe('revoked')
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
  expect(inOrder(keys, 'newest', now).map(({ id }) => id)).toEqual(['newer', 'older', 'revoked'])
})

test('a budget that is nearly or wholly used comes before an expiry, and that before a rotation', () => {
  const use = (used: number) => ({ limit: 100, used, resetsAt: null })
  expect(keyState(key({ uses: { tokensPerMonth: use(89) } }), now)).toBe('live')
  expect(keyState(key({ uses: { tokensPerMonth: use(90) }, expiresAt: now + dayMs }), now)).toBe('near')
  expect(keyState(key({ uses: { tokensPerDay: use(100) } }), now)).toBe('full')
  expect(keyState(key({ previousUntil: now + 1 }), now)).toBe('rotating')
  expect(keyState(key({ previousUntil: now }), now)).toBe('live')
  expect(keyState(key({ previousUntil: now + 1, expiresAt: now + dayMs }), now)).toBe('ending')
  expect(keyState(key({ suspendedAt: now, uses: { tokensPerDay: use(100) } }), now)).toBe('suspended')
  expect(isEnding(key({ uses: { tokensPerMonth: use(95) }, expiresAt: now + dayMs }), now)).toBe(true)
})

test('of two budgets the fuller one is shown', () => {
  const day = { limit: 10, used: 5, resetsAt: 1 }
  const month = { limit: 1_000, used: 400, resetsAt: 2 }
  expect(fullestBudget(key({ uses: { tokensPerDay: day, tokensPerMonth: month } }))).toEqual({ ...day, period: 'day' })
  expect(fullestBudget(key({ uses: { requestsPerMinute: day } }))).toBeNull()
})

test('a paused key is neither live nor suspended, and keys can be ordered by name, last use, tokens and expiry', () => {
  expect(keyState(key({ pausedAt: now }), now)).toBe('paused')
  expect(passes(key({ pausedAt: now }), 'live', now)).toBe(false)
  const keys = [
    key({ id: 'a', name: 'beta', lastUsedAt: null, tokensThisMonth: 5, expiresAt: null }),
    key({ id: 'b', name: 'Alpha', lastUsedAt: 2, tokensThisMonth: 0, expiresAt: now + 60 * dayMs }),
    key({ id: 'c', name: 'gamma', lastUsedAt: 3, tokensThisMonth: 9, expiresAt: now + 30 * dayMs }),
  ]
  const ids = (order: Parameters<typeof inOrder>[1]): string =>
    inOrder(keys, order, now)
      .map(({ id }) => id)
      .join('')
  expect([ids('name'), ids('used'), ids('tokens'), ids('expiry')]).toEqual(['bac', 'cba', 'cab', 'cba'])
})
