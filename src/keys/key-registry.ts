/**
 * The keys of the service, as the command line, the site and management keys look after them. May import `store` and
 * `base`. Promises that a secret exists only in the answer to `create` or `rotate`: afterwards there is its hash.
 */
import type { Clock } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import type { AuditActor } from '../store/audit-contract.ts'
import type { KeyRecord, KeyScope, RevokeOutcome, Store } from '../store/contract.ts'
import type { Limits } from '../store/ledger-contract.ts'
import { limitsAgree, noLimits } from '../store/limit-names.ts'
import { readChanges } from './key-changes.ts'
import { changeDetails, keyEvent, rightsDetails } from './key-event.ts'
import {
  FieldRefused,
  type KeyFields,
  readExpiry,
  readGrace,
  readLimits,
  readModels,
  readName,
  readNetworks,
  readScopes,
  usualScopes,
} from './key-fields.ts'
import { hashKey, keyPrefix, mintKey } from './key-format.ts'
import { type KeyState, keyState, type OverState } from './key-state.ts'

export type ShownKey = KeyRecord & { state: KeyState }

export type NewKey = KeyFields & {
  name: string
  /** All but `manage` where they are left out. */
  scopes?: readonly string[]
  /** The first organisation where it is left out. */
  organisationId?: string
  /** The account that asks for it; nobody's where it is left out. */
  createdBy?: string | null
}

/** `field` is the name of a field of ours, or `limits.…`. */
type Refused = { outcome: 'refused'; field: string; reason: string }
/** A key that is over can neither be rotated nor changed; only an expired one may be given more time. */
type Over = { outcome: 'not_found' } | { outcome: 'inactive'; state: OverState }

/** How a secret came to an end: with its key, or because another took its place at once. */
export type KeyEnd = 'revoked' | 'rotated'

export interface KeyRegistry {
  /** The same, with somebody else for the audit to name. */
  by(actor: AuditActor): KeyRegistry
  create(wanted: NewKey): Promise<{ outcome: 'created'; record: ShownKey; key: string } | Refused>
  /** In the order in which they were made. */
  list(scope: KeyScope): Promise<ShownKey[]>
  find(scope: KeyScope, id: string): Promise<ShownKey | null>
  revoke(scope: KeyScope, id: string): Promise<{ outcome: RevokeOutcome }>
  /** A new secret; the one so far works for `graceMs` more. */
  rotate(
    scope: KeyScope,
    id: string,
    graceMs: number,
  ): Promise<{ outcome: 'rotated'; record: ShownKey; key: string } | Over | Refused>
  /** What is left out stays as it is, also of the limits. Nothing is changed where the limits are not what they `were`. */
  change(
    scope: KeyScope,
    id: string,
    fields: KeyFields & { name?: string },
    were?: Partial<Limits>,
  ): Promise<{ outcome: 'changed'; record: ShownKey } | { outcome: 'limits_changed' } | Over | Refused>
}

type RegistryOptions = {
  /** Who looks after the keys, unless `by` says otherwise. */
  actor?: AuditActor
  store: Pick<Store, 'keys' | 'organisations'>
  clock: Clock
  /** Told once a change is durable, so that a verifier in this process can forget the key. */
  onChanged?: (keyId: string) => void
  /** Called once it is durable that a secret works no more, so that its running answers can be ended. */
  onEnded?: (keyId: string, end: KeyEnd) => void
  /** A use that is not in the store yet. */
  unwrittenUse?: (keyId: string) => number | null
}

const server: AuditActor = { kind: 'server', id: null, name: null, address: null }

export const createKeyRegistry = (options: RegistryOptions): KeyRegistry => {
  const { store, clock, onChanged, onEnded, unwrittenUse, actor = server } = options
  const shown = (record: KeyRecord): ShownKey => ({
    ...record,
    lastUsedAt: unwrittenUse?.(record.id) ?? record.lastUsedAt,
    state: keyState(record, clock.now()),
  })
  const find = async (scope: KeyScope, id: string): Promise<ShownKey | null> => {
    const record = await store.keys.find(scope, id)
    return record === null ? null : shown(record)
  }

  const change: KeyRegistry['change'] = (scope, id, fields, were = {}) =>
    orRefused(async () => {
      const current = await find(scope, id)
      if (current === null) return { outcome: 'not_found' }
      if (current.state === 'revoked') return { outcome: 'inactive', state: 'revoked' }
      if (!limitsAgree(current.limits, were)) return { outcome: 'limits_changed' }
      const changes = readChanges(fields, current, clock.now())
      const event = keyEvent('key.changed', current, actor, clock.now(), changeDetails(changes, current))
      const changed = await store.keys.change(scope, id, changes, current.limits, event)
      // Between the two calls somebody was faster: what was read is not true any more, so it is read again.
      if (changed.outcome === 'limits_changed') return change(scope, id, fields, were)
      if (changed.outcome !== 'changed') return changed
      onChanged?.(id)
      return { outcome: 'changed', record: shown(changed.record) }
    })

  return {
    by: (other) => createKeyRegistry({ ...options, actor: other }),
    create: (wanted) =>
      orRefused(async () => {
        const createdAt = clock.now()
        const { key, secretHash, ...ends } = mintSecret()
        const record: KeyRecord = {
          id: newId('key'),
          name: readName(wanted.name),
          ...ends,
          createdAt,
          expiresAt: readExpiry(wanted.expiresAt ?? null, createdAt),
          revokedAt: null,
          createdBy: wanted.createdBy ?? null,
          scopes: readScopes(wanted.scopes ?? usualScopes),
          models: readModels(wanted.models ?? null),
          networks: readNetworks(wanted.networks ?? null),
          limits: readLimits({ ...noLimits, ...wanted.limits }),
          lastUsedAt: null,
          previousUntil: null,
          suspendedAt: null,
          organisationId: wanted.organisationId ?? (await store.organisations.first()).id,
        }
        const event = keyEvent('key.created', record, actor, createdAt, rightsDetails(record))
        await store.keys.insert(record, secretHash, event)
        return { outcome: 'created', record: shown(record), key }
      }),
    list: async (scope) => (await store.keys.list(scope)).map(shown),
    find,
    async revoke(scope, id) {
      const current = await store.keys.find(scope, id)
      const event = current === null ? [] : [keyEvent('key.revoked', current, actor, clock.now())]
      const outcome = await store.keys.revoke(scope, id, clock.now(), ...event)
      // Also when it was revoked before: the other process that did it could not tell this one.
      if (outcome === 'not_found') return { outcome }
      onChanged?.(id)
      onEnded?.(id, 'revoked')
      return { outcome }
    },
    rotate: (scope, id, graceMs) =>
      orRefused(async () => {
        const grace = readGrace(graceMs)
        const current = await find(scope, id)
        if (current === null) return { outcome: 'not_found' }
        if (current.state !== 'active') return { outcome: 'inactive', state: current.state }
        const { key, ...secret } = mintSecret()
        const previousUntil = grace === 0 ? null : clock.now() + grace
        const event = keyEvent('key.rotated', current, actor, clock.now(), { graceMs: grace })
        const record = await store.keys.rotate(scope, id, { ...secret, previousUntil }, event)
        if (record === null) return { outcome: 'inactive', state: 'revoked' }
        onChanged?.(id)
        // Without a grace period: whatever runs now was begun with a secret that works no more.
        if (previousUntil === null) onEnded?.(id, 'rotated')
        return { outcome: 'rotated', record: shown(record), key }
      }),
    change,
  }
}

const shownDigits = 4

/** A secret, its hash, and what may be shown of it. */
const mintSecret = () => {
  const key = mintKey()
  return {
    key,
    secretHash: hashKey(key),
    prefix: key.slice(0, keyPrefix.length + shownDigits),
    lastFour: key.slice(-shownDigits),
  }
}

const orRefused = async <Outcome>(work: () => Promise<Outcome>): Promise<Outcome | Refused> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof FieldRefused) return { outcome: 'refused', field: error.field, reason: error.message }
    throw error
  }
}
