import type { DatabaseSync } from 'node:sqlite'
import type { IdentityRecord } from '../../account-contract.ts'
import { prepared } from '../../sqlite/database/prepared.ts'

/** False if it already belongs to an account, or the account has one of this issuer. */
export const insertIdentity = (db: DatabaseSync, record: IdentityRecord): boolean => {
  const { id, accountId, issuer, subject, email, createdAt, lastUsedAt } = record
  const insert = `INSERT INTO identities (id, account_id, issuer, subject, email, created_at, last_used_at)
    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
  return prepared(db, insert).run(id, accountId, issuer, subject, email, createdAt, lastUsedAt).changes === 1
}
