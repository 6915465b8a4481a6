import type { KeyRecord } from '../store/contract.ts'

export type OverState = 'expired' | 'revoked'
export type KeyState = 'active' | OverState

/** A key is expired from `expiresAt` on. A revoked key stays revoked, whatever its expiry says. */
export const keyState = ({ revokedAt, expiresAt }: KeyRecord, now: number): KeyState => {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && now >= expiresAt ? 'expired' : 'active'
}
