import type { Key, LimitUse } from '../../../platform/types.ts'
import { daysUntil } from '../../time/moments.ts'
import { type KeyBudget, keyBudgets } from './key-budgets.ts'

export type KeyState = 'live' | 'rotating' | 'near' | 'full' | 'ending' | 'suspended' | 'paused' | 'expired' | 'revoked'

/** An expiry closer than this is highlighted. */
const soonDays = 14
/** A budget used beyond this share is highlighted. */
const nearShare = 0.9

/** Of the budgets that a key has, the one that will stop it first. */
export const fullestBudget = (key: Pick<Key, 'uses'>): (LimitUse & { period: KeyBudget['period'] }) | null => {
  const budgets = keyBudgets(key).map(({ period, use }) => ({ ...use, period }))
  return budgets.toSorted((one, other) => other.used / other.limit - one.used / one.limit)[0] ?? null
}

/** The state of a key that needs the most attention. */
export const keyState = (key: Key, now: number): KeyState => {
  const { revokedAt, expiresAt, suspendedAt, pausedAt, previousUntil } = key
  if (revokedAt !== null) return 'revoked'
  if (expiresAt !== null && expiresAt <= now) return 'expired'
  if (suspendedAt !== null) return 'suspended'
  if (pausedAt !== null) return 'paused'
  const budget = fullestBudget(key)
  if (budget !== null && budget.used >= budget.limit) return 'full'
  if (budget !== null && budget.used >= budget.limit * nearShare) return 'near'
  if (expiresAt !== null && daysUntil(expiresAt, now) <= soonDays) return 'ending'
  return previousUntil !== null && previousUntil > now ? 'rotating' : 'live'
}

export const isEnding = (key: Key, now: number): boolean =>
  passes(key, 'live', now) && key.expiresAt !== null && daysUntil(key.expiresAt, now) <= soonDays

export const keyFilters = ['all', 'live', 'paused', 'suspended', 'expired', 'revoked'] as const
export type KeyFilter = (typeof keyFilters)[number]

const filterFor = (state: KeyState): KeyFilter =>
  state === 'suspended' || state === 'paused' || state === 'expired' || state === 'revoked' ? state : 'live'

export const passes = (key: Key, filter: KeyFilter, now: number): boolean =>
  filter === 'all' || filterFor(keyState(key, now)) === filter

/** By name, or by any part of what is shown of the key. */
export const matches = ({ name, prefix, lastFour }: Key, search: string): boolean => {
  const wanted = search.trim().toLocaleLowerCase()
  return [name, prefix, lastFour, `${prefix}…${lastFour}`].some((text) => text.toLocaleLowerCase().includes(wanted))
}

export const keyOrders = ['newest', 'name', 'used', 'tokens', 'expiry'] as const
export type KeyOrder = (typeof keyOrders)[number]

/** What was never used, or never expires, comes last. */
const comparisons: Record<KeyOrder, (one: Key, other: Key) => number> = {
  newest: (one, other) => other.createdAt - one.createdAt,
  name: (one, other) => one.name.localeCompare(other.name),
  used: (one, other) => (other.lastUsedAt ?? 0) - (one.lastUsedAt ?? 0),
  tokens: (one, other) => other.tokensThisMonth - one.tokensThisMonth,
  expiry: (one, other) => (one.expiresAt ?? Number.MAX_VALUE) - (other.expiresAt ?? Number.MAX_VALUE),
}

/** What no longer works comes below, in the same order. */
export const inOrder = (keys: readonly Key[], order: KeyOrder, now: number): Key[] => {
  const isOver = (key: Key): number => (filterFor(keyState(key, now)) === 'live' ? 0 : 1)
  return keys.toSorted(
    (one, other) => isOver(one) - isOver(other) || comparisons[order](one, other) || other.createdAt - one.createdAt,
  )
}
