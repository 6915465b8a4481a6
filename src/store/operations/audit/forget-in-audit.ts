import type { DatabaseSync } from 'node:sqlite'
import { prepared } from '../../sqlite/database/prepared.ts'
import { text } from '../row.ts'

type Forgotten = { accountId: string; organisationIds: readonly string[]; keyIds: readonly string[] }

/** A deleted account stays in the audit log by its id only: names and addresses are removed. Events are not touched. */
export const forgetInAudit = (db: DatabaseSync, { accountId, organisationIds, keyIds }: Forgotten): void => {
  const row = prepared(db, 'SELECT email FROM accounts WHERE id = ?').get(accountId)
  const forget = prepared(db, 'UPDATE audit_parties SET name = NULL, address = NULL WHERE subject_id = ? AND kind = ?')
  forget.run(accountId, 'account')
  for (const id of organisationIds) forget.run(id, 'organisation')
  for (const id of keyIds) forget.run(id, 'key')
  if (row !== undefined) prepared(db, 'UPDATE audit_parties SET name = NULL WHERE name = ?').run(text(row, 'email'))
}
