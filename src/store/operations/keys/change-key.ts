import type { KeyChanged, KeyChanges, KeyRecord, KeyScope, RotatedSecret } from '../../contract.ts'
import type { Limits } from '../../ledger-contract.ts'
import { limitsAgree } from '../../limit-names.ts'
import { deleteText } from '../delete-text.ts'
import { limitColumns, limitPlaces, limitValues } from '../limits/limit-columns.ts'
import { first, type Query, run } from '../query.ts'
import { findKey, inScope, jsonOrNull, keyColumns, keyRecord, scopeOrganisation } from './keys.ts'

export function* rotateKey(
  scope: KeyScope,
  id: string,
  { secretHash, prefix, lastFour, previousUntil }: RotatedSecret,
): Query<KeyRecord | null> {
  const update = `UPDATE api_keys SET previous_hash = secret_hash, previous_until = $previousUntil,
      secret_hash = $secretHash, prefix = $prefix, last_four = $lastFour
    WHERE id = $id AND revoked_at IS NULL AND ${inScope} RETURNING ${keyColumns}`
  const secret = { secretHash, prefix, lastFour, previousUntil }
  const row = yield* first(update, { id, organisation: scopeOrganisation(scope), ...secret })
  return row === undefined ? null : keyRecord(row)
}

export function* changeKey(scope: KeyScope, id: string, changes: KeyChanges, were: Limits | null): Query<KeyChanged> {
  const found = yield* findKey(scope, id)
  if (found === null) return { outcome: 'not_found' }
  if (were !== null && !limitsAgree(found.limits, were)) return { outcome: 'limits_changed' }
  const changed = { ...found, ...changes }
  const overwrite = `UPDATE api_keys SET (name, scopes, models, networks, expires_at, paused_at, ${limitColumns})
      = (?, ?, ?, ?, ?, ?, ${limitPlaces}) WHERE id = ?`
  const { name, scopes, models, networks, expiresAt, pausedAt, limits } = changed
  const lists = [JSON.stringify(scopes), jsonOrNull(models), jsonOrNull(networks)]
  yield* deleteText(run(overwrite, name, ...lists, expiresAt, pausedAt, ...limitValues(limits), id))
  return { outcome: 'changed', record: changed }
}

export function* touchKeys(used: readonly { id: string; lastUsedAt: number }[]): Query<void> {
  const update = 'UPDATE api_keys SET last_used_at = $at WHERE id = $id AND coalesce(last_used_at, 0) < $at'
  for (const { id, lastUsedAt } of used) yield* run(update, { id, at: lastUsedAt })
}
