import type { KeyRecord } from '../store/contract.ts'

export type OverState = 'suspended' | 'expired' | 'revoked'
export type KeyState = 'active' | OverState

/** A key is expired from `expiresAt` on. A revoked key stays revoked, whatever its expiry says. */
export const keyState = ({ revokedAt, expiresAt, suspendedAt }: KeyRecord, now: number): KeyState => {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt !== null && now >= expiresAt) return 'expired'
  return suspendedAt === null ? 'active' : 'suspended'
}
