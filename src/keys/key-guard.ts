/**
 * Who may call the API: a key that is known, used from where it may be, for what it is for. May import `store` and
 * `base`. Promises that a key which lacks a right is refused by the name of that right, before any work is done.
 */
import { ApiError } from '../base/api-error.ts'
import type { AccessScope, KeyRecord } from '../store/contract.ts'
import { isAllowedFrom } from './key-networks.ts'
import type { LastUsed } from './last-used.ts'
import type { KeyVerifier } from './verify-key.ts'

type GuardOptions = { verifier: KeyVerifier; lastUsed: Pick<LastUsed, 'touch'> }

export interface KeyGuard {
  /** Throws unless the header carries a key that works now. */
  authenticate(authorization: string | undefined): Promise<KeyRecord>
  /** Throws unless this key may do this from there. What is let in counts as a use of it. */
  authorise(key: KeyRecord, scope: AccessScope | 'any', clientAddress: string): void
}

export const createKeyGuard = ({ verifier, lastUsed }: GuardOptions): KeyGuard => ({
  async authenticate(authorization) {
    const verdict = await verifier.verify(authorization)
    if (verdict.outcome === 'valid') return verdict.key
    if (verdict.outcome === 'missing') throw ApiError.of('missing_api_key', {})
    if (verdict.outcome === 'suspended') throw ApiError.of(`${verdict.thing}_suspended`, {})
    throw ApiError.of(`${verdict.outcome}_api_key`, { key: verdict.shownKey })
  },
  authorise(key, scope, clientAddress) {
    if (!isAllowedFrom(key, clientAddress)) throw ApiError.of('network_not_allowed', { address: clientAddress })
    if (scope !== 'any') requireScope(key, scope)
    lastUsed.touch(key.id)
  },
})

export const requireScope = (key: Pick<KeyRecord, 'scopes'>, scope: AccessScope): void => {
  if (!key.scopes.includes(scope)) throw ApiError.of('missing_scope', { scope })
}

export const mayUseModel = ({ models }: Pick<KeyRecord, 'models'>, model: string): boolean =>
  models === null || models.includes(model)
