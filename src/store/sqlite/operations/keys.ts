import type { DatabaseSync } from 'node:sqlite'
import type { KeyRecord, RevokeOutcome } from '../../contract.ts'
import { prepared } from '../prepared.ts'
import { integer, integerOrNull, type Row, text } from '../row.ts'

const columns = 'id, organisation_id, name, prefix, last_four, created_at, expires_at, revoked_at'

export const insertKey = (db: DatabaseSync, record: KeyRecord, secretHash: Uint8Array): void => {
  prepared(db, `INSERT INTO api_keys (${columns}, secret_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(
    record.id,
    record.organisationId,
    record.name,
    record.prefix,
    record.lastFour,
    record.createdAt,
    record.expiresAt,
    record.revokedAt,
    secretHash,
  )
}

export const findKeyByHash = (db: DatabaseSync, secretHash: Uint8Array): KeyRecord | null => {
  const row = prepared(db, `SELECT ${columns} FROM api_keys WHERE secret_hash = ?`).get(secretHash)
  return row === undefined ? null : keyRecord(row)
}

export const listKeys = (db: DatabaseSync): KeyRecord[] =>
  prepared(db, `SELECT ${columns} FROM api_keys ORDER BY rowid`).all().map(keyRecord)

export const revokeKey = (db: DatabaseSync, id: string, revokedAt: number): RevokeOutcome => {
  const update = prepared(db, 'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
  if (update.run(revokedAt, id).changes === 1) return 'revoked'
  const known = prepared(db, 'SELECT 1 FROM api_keys WHERE id = ?').get(id)
  return known === undefined ? 'not_found' : 'already_revoked'
}

const keyRecord = (row: Row): KeyRecord => ({
  id: text(row, 'id'),
  organisationId: text(row, 'organisation_id'),
  name: text(row, 'name'),
  prefix: text(row, 'prefix'),
  lastFour: text(row, 'last_four'),
  createdAt: integer(row, 'created_at'),
  expiresAt: integerOrNull(row, 'expires_at'),
  revokedAt: integerOrNull(row, 'revoked_at'),
})
