import type { DatabaseSync } from 'node:sqlite'
import type { KeyRecord, KeyScope, RevokeOutcome } from '../../contract.ts'
import { prepared } from '../prepared.ts'
import { integer, integerOrNull, type Row, text, textOrNull } from '../row.ts'

const columns = 'id, organisation_id, name, prefix, last_four, created_at, expires_at, revoked_at, created_by'

export const insertKey = (db: DatabaseSync, record: KeyRecord, secretHash: Uint8Array): void => {
  prepared(db, `INSERT INTO api_keys (${columns}, secret_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(
    record.id,
    record.organisationId,
    record.name,
    record.prefix,
    record.lastFour,
    record.createdAt,
    record.expiresAt,
    record.revokedAt,
    record.createdBy,
    secretHash,
  )
}

export const findKeyByHash = (db: DatabaseSync, secretHash: Uint8Array): KeyRecord | null => {
  const row = prepared(db, `SELECT ${columns} FROM api_keys WHERE secret_hash = ?`).get(secretHash)
  return row === undefined ? null : keyRecord(row)
}

export const listKeys = (db: DatabaseSync, scope: KeyScope): KeyRecord[] =>
  prepared(db, `SELECT ${columns} FROM api_keys WHERE ${inScope} ORDER BY rowid`)
    .all({ organisation: organisationOf(scope) })
    .map(keyRecord)

export const findKey = (db: DatabaseSync, scope: KeyScope, id: string): KeyRecord | null => {
  const find = prepared(db, `SELECT ${columns} FROM api_keys WHERE id = $id AND ${inScope}`)
  const row = find.get({ id, organisation: organisationOf(scope) })
  return row === undefined ? null : keyRecord(row)
}

export const revokeKey = (db: DatabaseSync, scope: KeyScope, id: string, revokedAt: number): RevokeOutcome => {
  const update = prepared(
    db,
    `UPDATE api_keys SET revoked_at = $revokedAt WHERE id = $id AND revoked_at IS NULL AND ${inScope}`,
  )
  if (update.run({ id, revokedAt, organisation: organisationOf(scope) }).changes === 1) return 'revoked'
  return findKey(db, scope, id) === null ? 'not_found' : 'already_revoked'
}

const inScope = '($organisation IS NULL OR organisation_id = $organisation)'
const organisationOf = (scope: KeyScope): string | null => (scope === 'all' ? null : scope.organisationId)

const keyRecord = (row: Row): KeyRecord => ({
  id: text(row, 'id'),
  organisationId: text(row, 'organisation_id'),
  name: text(row, 'name'),
  prefix: text(row, 'prefix'),
  lastFour: text(row, 'last_four'),
  createdAt: integer(row, 'created_at'),
  expiresAt: integerOrNull(row, 'expires_at'),
  revokedAt: integerOrNull(row, 'revoked_at'),
  createdBy: textOrNull(row, 'created_by'),
})
