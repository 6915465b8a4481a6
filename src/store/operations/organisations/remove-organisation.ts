import type { DatabaseSync } from 'node:sqlite'
import { prepared } from '../../sqlite/database/prepared.ts'
import { pseudonymise } from '../../sqlite/operations/ledger/ledger-callers.ts'
import { emptyLogAfterCommit } from '../../sqlite/thread/after-commit.ts'
import { text } from '../row.ts'

/**
 * Returns its keys. Memberships, invitations, sessions, replays, refused requests, stored bodies, stored responses
 * and the pairs of metadata are deleted by cascade. The ledger stays, without the names.
 */
export const removeOrganisation = (db: DatabaseSync, id: string): string[] => {
  prepared(db, 'DELETE FROM stored_completions WHERE organisation_id = ?').run(id)
  const keys = prepared(db, 'DELETE FROM api_keys WHERE organisation_id = ? RETURNING id').all(id)
  pseudonymise(db, id)
  prepared(db, 'DELETE FROM organisations WHERE id = ?').run(id)
  emptyLogAfterCommit(db)
  return keys.map((row) => text(row, 'id'))
}
