import type { IdentityRecord } from '../../account-contract.ts'
import { type Query, run } from '../query.ts'

/** False if it already belongs to an account, or the account has one of this issuer. */
export function* insertIdentity(record: IdentityRecord): Query<boolean> {
  const { id, accountId, issuer, subject, email, createdAt, lastUsedAt } = record
  const insert = `INSERT INTO identities (id, account_id, issuer, subject, email, created_at, last_used_at)
    VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
  return (yield* run(insert, id, accountId, issuer, subject, email, createdAt, lastUsedAt)) === 1
}
