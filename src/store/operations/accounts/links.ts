import type { DatabaseSync } from 'node:sqlite'
import type { LinkRecord } from '../../account-contract.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import { integer, integerOrNull, type Row, textOrNull } from '../row.ts'
import { isClaimed } from './is-claimed.ts'

type Kind = LinkRecord['kind']

/** Also removes expired links. */
export const insertLink = (db: DatabaseSync, record: LinkRecord, tokenHash: Uint8Array): void => {
  prepared(db, 'DELETE FROM links WHERE expires_at <= ?').run(record.createdAt)
  prepared(db, 'INSERT INTO links (token_hash, kind, account_id, created_at, expires_at) VALUES (?, ?, ?, ?, ?)').run(
    tokenHash,
    record.kind,
    record.accountId,
    record.createdAt,
    record.expiresAt,
  )
}

export const replaceSetupLink = (db: DatabaseSync, tokenHash: Uint8Array, now: number): boolean => {
  prepared(db, "DELETE FROM links WHERE kind = 'setup'").run()
  if (isClaimed(db)) return false
  insertLink(db, { kind: 'setup', accountId: null, createdAt: now, expiresAt: null }, tokenHash)
  return true
}

const valid = 'kind = ? AND token_hash = ? AND (expires_at IS NULL OR expires_at > ?)'

export const findLink = (db: DatabaseSync, kind: Kind, tokenHash: Uint8Array, now: number): LinkRecord | null =>
  toLink(
    kind,
    prepared(db, `SELECT account_id, created_at, expires_at FROM links WHERE ${valid}`).get(kind, tokenHash, now),
  )

/** Uses it up. */
export const consumeLink = (db: DatabaseSync, kind: Kind, tokenHash: Uint8Array, now: number): LinkRecord | null => {
  const take = `DELETE FROM links WHERE ${valid} RETURNING account_id, created_at, expires_at`
  return toLink(kind, prepared(db, take).get(kind, tokenHash, now))
}

const toLink = (kind: Kind, row: Row | undefined): LinkRecord | null =>
  row === undefined
    ? null
    : {
        kind,
        accountId: textOrNull(row, 'account_id'),
        createdAt: integer(row, 'created_at'),
        expiresAt: integerOrNull(row, 'expires_at'),
      }
