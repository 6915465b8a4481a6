/**
 * The keys of the service, as the command line and the site manage them. May import `store` and `base`. Promises that a
 * secret exists only in the answer to `create`: afterwards there is its hash.
 */
import type { Clock } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import { accessScopes, type KeyRecord, type KeyScope, type RevokeOutcome, type Store } from '../store/contract.ts'
import type { Limits } from '../store/ledger-contract.ts'
import { hashKey, keyPrefix, mintKey } from './key-format.ts'
import { checkKeyName } from './key-name.ts'
import { type KeyState, keyState } from './key-state.ts'

export type ShownKey = KeyRecord & { state: KeyState }

export type NewKey = {
  name: string
  /** The first organisation where it is left out. */
  organisationId?: string
  /** Milliseconds since 1970; never where it is left out. */
  expiresAt?: number | null
  /** The account that asks for it; nobody's where it is left out. */
  createdBy?: string | null
}

type CreateOutcome =
  | { outcome: 'created'; record: ShownKey; key: string }
  | { outcome: 'refused'; field: 'name' | 'expiresAt'; reason: string }

export interface KeyRegistry {
  create(wanted: NewKey): Promise<CreateOutcome>
  /** In the order in which they were made. */
  list(scope: KeyScope): Promise<ShownKey[]>
  find(scope: KeyScope, id: string): Promise<ShownKey | null>
  revoke(scope: KeyScope, id: string): Promise<{ outcome: RevokeOutcome }>
}

type RegistryOptions = {
  store: Pick<Store, 'keys' | 'organisations'>
  clock: Clock
  /** Told once a revocation is durable, so that a verifier in this process can forget the key. */
  onRevoked?: (keyId: string) => void
}

const shownDigits = 4

const noLimits: Limits = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  requestsInFlight: null,
  tokensPerDay: null,
  tokensPerMonth: null,
}

export const createKeyRegistry = ({ store, clock, onRevoked }: RegistryOptions): KeyRegistry => {
  const shown = (record: KeyRecord): ShownKey => ({ ...record, state: keyState(record, clock.now()) })

  const create = async ({
    name,
    organisationId,
    expiresAt = null,
    createdBy = null,
  }: NewKey): Promise<CreateOutcome> => {
    const checked = checkKeyName(name)
    if (checked.outcome === 'refused') return { ...checked, field: 'name' }
    const createdAt = clock.now()
    if (expiresAt !== null && !(Number.isSafeInteger(expiresAt) && expiresAt > createdAt)) {
      return { outcome: 'refused', field: 'expiresAt', reason: 'it must lie in the future' }
    }
    const key = mintKey()
    const record: KeyRecord = {
      id: newId('key'),
      organisationId: organisationId ?? (await store.organisations.first()).id,
      name: checked.name,
      prefix: key.slice(0, keyPrefix.length + shownDigits),
      lastFour: key.slice(-shownDigits),
      createdAt,
      expiresAt,
      revokedAt: null,
      createdBy,
      scopes: accessScopes.filter((scope) => scope !== 'manage'),
      models: null,
      networks: null,
      limits: noLimits,
      lastUsedAt: null,
      previousUntil: null,
    }
    await store.keys.insert(record, hashKey(key))
    return { outcome: 'created', record: shown(record), key }
  }

  return {
    create,
    list: async (scope) => (await store.keys.list(scope)).map(shown),
    async find(scope, id) {
      const record = await store.keys.find(scope, id)
      return record === null ? null : shown(record)
    },
    async revoke(scope, id) {
      const outcome = await store.keys.revoke(scope, id, clock.now())
      // Also when it was revoked before: the other process that did it could not tell this one.
      if (outcome !== 'not_found') onRevoked?.(id)
      return { outcome }
    },
  }
}
