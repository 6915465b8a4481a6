import type { DatabaseSync } from 'node:sqlite'
import type { KeyChanged, KeyChanges, KeyRecord, KeyScope, RotatedSecret } from '../../contract.ts'
import type { Limits } from '../../ledger-contract.ts'
import { limitsAgree } from '../../limit-names.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import { limitColumns, limitPlaces, limitValues } from '../limits/limit-columns.ts'
import { findKey, inScope, jsonOrNull, keyColumns, keyRecord, organisationOf } from './keys.ts'

export const rotateKey = (
  db: DatabaseSync,
  scope: KeyScope,
  id: string,
  { secretHash, prefix, lastFour, previousUntil }: RotatedSecret,
): KeyRecord | null => {
  const update = `UPDATE api_keys SET previous_hash = secret_hash, previous_until = $previousUntil,
      secret_hash = $secretHash, prefix = $prefix, last_four = $lastFour
    WHERE id = $id AND revoked_at IS NULL AND ${inScope} RETURNING ${keyColumns}`
  const secret = { secretHash, prefix, lastFour, previousUntil }
  const row = prepared(db, update).get({ id, organisation: organisationOf(scope), ...secret })
  return row === undefined ? null : keyRecord(row)
}

export const changeKey = (
  db: DatabaseSync,
  scope: KeyScope,
  id: string,
  changes: KeyChanges,
  were: Limits | null,
): KeyChanged => {
  const found = findKey(db, scope, id)
  if (found === null) return { outcome: 'not_found' }
  if (were !== null && !limitsAgree(found.limits, were)) return { outcome: 'limits_changed' }
  const changed = { ...found, ...changes }
  prepared(
    db,
    `UPDATE api_keys SET (name, models, networks, expires_at, paused_at, ${limitColumns})
      = (?, ?, ?, ?, ?, ${limitPlaces}) WHERE id = ?`,
  ).run(
    changed.name,
    jsonOrNull(changed.models),
    jsonOrNull(changed.networks),
    changed.expiresAt,
    changed.pausedAt,
    ...limitValues(changed.limits),
    id,
  )
  return { outcome: 'changed', record: changed }
}

export const touchKeys = (db: DatabaseSync, used: readonly { id: string; lastUsedAt: number }[]): void => {
  const update = prepared(db, 'UPDATE api_keys SET last_used_at = ?2 WHERE id = ?1 AND coalesce(last_used_at, 0) < ?2')
  for (const { id, lastUsedAt } of used) update.run(id, lastUsedAt)
}
