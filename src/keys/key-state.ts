import type { KeyRecord } from '../store/contract.ts'

export type InactiveState = 'suspended' | 'paused' | 'expired' | 'revoked'
export type KeyState = 'active' | InactiveState

/** A key has expired from `expiresAt` on. A revoked key stays revoked, whatever its expiry. */
export const keyState = ({ revokedAt, expiresAt, suspendedAt, pausedAt }: KeyRecord, now: number): KeyState => {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt !== null && now >= expiresAt) return 'expired'
  if (suspendedAt !== null) return 'suspended'
  return pausedAt === null ? 'active' : 'paused'
}
