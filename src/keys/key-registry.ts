/**
 * Creates, lists and changes keys, for the command line, the site and management keys. May import `store` and `base`.
 * Promises that a secret exists only in the result of `create` or `rotate`; only its hash is stored.
 */
import type { Clock } from '../base/clock.ts'
import type { AuditActor } from '../store/audit-contract.ts'
import type { KeyRecord, KeyScope, RevokeOutcome, Store } from '../store/contract.ts'
import type { Limits } from '../store/ledger-contract.ts'
import { limitsAgree } from '../store/limit-names.ts'
import { changeDetails, keyEvent, permissionDetails } from './key-event.ts'
import { FieldRefused, type KeyFields, readGrace } from './key-fields.ts'
import { hashKey, keyPrefix, mintKey } from './key-format.ts'
import { type InactiveState, type KeyState, keyState } from './key-state.ts'
import { type NewKey, readChanges, readNewKey } from './read-key.ts'

export type ShownKey = KeyRecord & { state: KeyState }

/** `field` is a name in `KeyFields`, or `limits.…`. */
type Refused = { outcome: 'refused'; field: string; reason: string }
/** An inactive key cannot be rotated or changed, except that an expired one can be extended. */
type NotUsable = { outcome: 'not_found' } | { outcome: 'inactive'; state: InactiveState }

/** Why a secret stopped working: its key was revoked, rotated without a grace period, or paused. */
export type KeyEnd = 'revoked' | 'rotated' | 'paused'

export interface KeyRegistry {
  /** The same registry with another actor in the audit. */
  by(actor: AuditActor): KeyRegistry
  create(wanted: NewKey): Promise<{ outcome: 'created'; record: ShownKey; key: string } | Refused>
  /** In order of creation. */
  list(scope: KeyScope): Promise<ShownKey[]>
  find(scope: KeyScope, id: string): Promise<ShownKey | null>
  revoke(scope: KeyScope, id: string): Promise<{ outcome: RevokeOutcome }>
  /** Creates a new secret; the previous one works for `graceMs` more. */
  rotate(
    scope: KeyScope,
    id: string,
    graceMs: number,
  ): Promise<{ outcome: 'rotated'; record: ShownKey; key: string } | NotUsable | Refused>
  /** Stops a key until it is resumed, or resumes it. Nothing happens if it is already so. */
  setPaused(
    scope: KeyScope,
    id: string,
    isPaused: boolean,
  ): Promise<{ outcome: 'changed'; record: ShownKey } | NotUsable>
  /** Omitted fields and limits stay as they are. Nothing is changed if the limits differ from what they `were`. */
  change(
    scope: KeyScope,
    id: string,
    fields: KeyFields & { name?: string },
    were?: Partial<Limits>,
  ): Promise<{ outcome: 'changed'; record: ShownKey } | { outcome: 'limits_changed' } | NotUsable | Refused>
}

type KeyRegistryDependencies = {
  /** Default: the server. */
  actor?: AuditActor
  store: Pick<Store, 'keys' | 'organisations'>
  clock: Clock
  /** Called once a change is durable, so that the verifier in this process forgets the key. */
  onChanged?: (keyId: string) => void
  /** Called once it is durable that a secret stopped working, so that its running requests are aborted. */
  onEnded?: (keyId: string, end: KeyEnd) => void
  /** When a key was last used, if that is not written yet. */
  unwrittenUse?: (keyId: string) => number | null
}

const server: AuditActor = { kind: 'server', id: null, name: null, address: null }

export const createKeyRegistry = (options: KeyRegistryDependencies): KeyRegistry => {
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
      // The limits changed between the two calls, so they are read again.
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
        const { key, secretHash, ...shownParts } = mintSecret()
        const organisationId = wanted.organisationId ?? (await store.organisations.first()).id
        const record = readNewKey(wanted, { ...shownParts, organisationId, createdAt })
        // The metrics are those of all organisations.
        if (record.scopes.includes('metrics') && actor.kind !== 'command_line')
          throw new FieldRefused('scopes', "a key with the scope 'metrics' can only be created on the command line")
        const event = keyEvent('key.created', record, actor, createdAt, permissionDetails(record))
        await store.keys.insert(record, secretHash, event)
        return { outcome: 'created', record: shown(record), key }
      }),
    list: async (scope) => (await store.keys.list(scope)).map(shown),
    find,
    async revoke(scope, id) {
      const current = await store.keys.find(scope, id)
      const event = current === null ? [] : [keyEvent('key.revoked', current, actor, clock.now())]
      const outcome = await store.keys.revoke(scope, id, clock.now(), ...event)
      // Even if it was revoked before: another process may have done it.
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
        // Without a grace period running requests use a secret that no longer works.
        if (previousUntil === null) onEnded?.(id, 'rotated')
        return { outcome: 'rotated', record: shown(record), key }
      }),
    async setPaused(scope, id, isPaused) {
      const current = await find(scope, id)
      if (current === null) return { outcome: 'not_found' }
      if (current.state === 'revoked') return { outcome: 'inactive', state: 'revoked' }
      if ((current.pausedAt !== null) === isPaused) return { outcome: 'changed', record: current }
      const now = clock.now()
      const event = keyEvent(isPaused ? 'key.paused' : 'key.unpaused', current, actor, now)
      const changed = await store.keys.change(scope, id, { pausedAt: isPaused ? now : null }, null, event)
      if (changed.outcome !== 'changed') return { outcome: 'not_found' }
      onChanged?.(id)
      if (isPaused) onEnded?.(id, 'paused')
      return { outcome: 'changed', record: shown(changed.record) }
    },
    change,
  }
}

const shownDigits = 4

/** A secret, its hash, and the parts that may be displayed. */
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
