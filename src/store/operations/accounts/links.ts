import type { LinkRecord } from '../../account-contract.ts'
import { first, type Query, run } from '../query.ts'

import { integer, integerOrNull, type Row, textOrNull } from '../row.ts'
import { isClaimed } from './is-claimed.ts'

type Kind = LinkRecord['kind']

/** Also removes expired links. */
export function* insertLink(record: LinkRecord, tokenHash: Uint8Array): Query<void> {
  yield* run('DELETE FROM links WHERE expires_at <= ?', record.createdAt)
  yield* run(
    'INSERT INTO links (token_hash, kind, account_id, created_at, expires_at) VALUES (?, ?, ?, ?, ?)',
    tokenHash,
    record.kind,
    record.accountId,
    record.createdAt,
    record.expiresAt,
  )
}

/** Removes those that were created before `since`; null: all. */
export function* replaceSetupLink(tokenHash: Uint8Array, now: number, since: number | null): Query<boolean> {
  yield* run("DELETE FROM links WHERE kind = 'setup' AND created_at < ?", since ?? Number.MAX_SAFE_INTEGER)
  if (yield* isClaimed()) return false
  yield* insertLink({ kind: 'setup', accountId: null, createdAt: now, expiresAt: null }, tokenHash)
  return true
}

const valid = 'kind = ? AND token_hash = ? AND (expires_at IS NULL OR expires_at > ?)'

export function* findLink(kind: Kind, tokenHash: Uint8Array, now: number): Query<LinkRecord | null> {
  return toLink(
    kind,
    yield* first(`SELECT account_id, created_at, expires_at FROM links WHERE ${valid}`, kind, tokenHash, now),
  )
}

/** Consumes it. */
export function* consumeLink(kind: Kind, tokenHash: Uint8Array, now: number): Query<LinkRecord | null> {
  const take = `DELETE FROM links WHERE ${valid} RETURNING account_id, created_at, expires_at`
  return toLink(kind, yield* first(take, kind, tokenHash, now))
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
