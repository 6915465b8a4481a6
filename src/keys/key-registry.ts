/**
 * The keys of the service, as the command line and the site manage them. May import `store` and `base`. Promises that a
 * secret exists only in the answer to `create`: afterwards there is its hash.
 */
import type { Clock } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import type { KeyRecord, RevokeOutcome, Store } from '../store/contract.ts'
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
}

type CreateOutcome =
  | { outcome: 'created'; record: ShownKey; key: string }
  | { outcome: 'refused'; field: 'name' | 'expiresAt'; reason: string }

export interface KeyRegistry {
  create(wanted: NewKey): Promise<CreateOutcome>
  list(): Promise<ShownKey[]>
  revoke(id: string): Promise<{ outcome: RevokeOutcome }>
}

type RegistryOptions = {
  store: Pick<Store, 'keys' | 'organisations'>
  clock: Clock
  /** Told once a revocation is durable, so that a verifier in this process can forget the key. */
  onRevoked?: (keyId: string) => void
}

const shownDigits = 4

export const createKeyRegistry = ({ store, clock, onRevoked }: RegistryOptions): KeyRegistry => {
  const shown = (record: KeyRecord): ShownKey => ({ ...record, state: keyState(record, clock.now()) })

  const create = async ({ name, organisationId, expiresAt = null }: NewKey): Promise<CreateOutcome> => {
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
    }
    await store.keys.insert(record, hashKey(key))
    return { outcome: 'created', record: shown(record), key }
  }

  return {
    create,
    list: async () => (await store.keys.list()).map(shown),
    async revoke(id) {
      const outcome = await store.keys.revoke(id, clock.now())
      // Also when it was revoked before: the other process that did it could not tell this one.
      if (outcome !== 'not_found') onRevoked?.(id)
      return { outcome }
    },
  }
}
