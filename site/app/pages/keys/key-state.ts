import type { Key } from '../../../platform/types.ts'
import { daysUntil } from '../../time/moments.ts'

export type KeyState = 'live' | 'ending' | 'suspended' | 'expired' | 'revoked'

/** From here on an expiry is worth a look. */
const soonDays = 14

export const stateOf = ({ revokedAt, expiresAt, suspendedAt }: Key, now: number): KeyState => {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt !== null && expiresAt <= now) return 'expired'
  if (suspendedAt !== null) return 'suspended'
  if (expiresAt === null) return 'live'
  return daysUntil(expiresAt, now) <= soonDays ? 'ending' : 'live'
}

export const keyFilters = ['all', 'live', 'expired', 'revoked'] as const
export type KeyFilter = (typeof keyFilters)[number]

/** What is suspended comes back as it was: it is shown among those that work. */
const filterOf = (state: KeyState): KeyFilter => (state === 'ending' || state === 'suspended' ? 'live' : state)

export const passes = (key: Key, filter: KeyFilter, now: number): boolean =>
  filter === 'all' || filterOf(stateOf(key, now)) === filter

/** By name, or by any part of what is shown of the key. */
export const matches = ({ name, prefix, lastFour }: Key, search: string): boolean => {
  const wanted = search.trim().toLocaleLowerCase()
  return [name, prefix, lastFour, `${prefix}…${lastFour}`].some((text) => text.toLocaleLowerCase().includes(wanted))
}

/** Newest first; what no longer works comes below. */
export const inOrder = (keys: readonly Key[], now: number): Key[] => {
  const isOver = (key: Key): number => (filterOf(stateOf(key, now)) === 'live' ? 0 : 1)
  return keys.toSorted((one, other) => isOver(one) - isOver(other) || other.createdAt - one.createdAt)
}
