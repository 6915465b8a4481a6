/**
 * Who may call the API: a valid key, from an allowed network, with the required scope. May import `store` and `base`.
 * Promises that a key without a permission is refused before any work is done, by an error that names the permission.
 */
import { ApiError } from '../base/api-error.ts'
import type { AccessScope, KeyRecord } from '../store/contract.ts'
import { isAllowedFrom } from './key-networks.ts'
import type { LastUsed } from './last-used.ts'
import type { KeyVerifier, VerifiedKey } from './verify-key.ts'

type KeyGuardDependencies = { verifier: KeyVerifier; lastUsed: Pick<LastUsed, 'touch'> }

export interface KeyGuard {
  /** Throws unless the header contains a valid key. */
  authenticate(authorization: string | undefined): Promise<VerifiedKey>
  /** Throws unless the key may do this from this address. Otherwise it counts as a use of the key. */
  authorise(key: KeyRecord, scope: AccessScope | 'any', clientAddress: string): void
}

export const createKeyGuard = ({ verifier, lastUsed }: KeyGuardDependencies): KeyGuard => ({
  async authenticate(authorization) {
    const verdict = await verifier.verify(authorization)
    if (verdict.outcome === 'valid') return verdict
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

/** `names`: the model's id and aliases; a key may be restricted to any of them. */
export const mayUseModel = ({ models }: Pick<KeyRecord, 'models'>, names: readonly string[]): boolean =>
  models === null || names.some((name) => models.includes(name))
