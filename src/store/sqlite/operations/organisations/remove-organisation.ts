import type { DatabaseSync } from 'node:sqlite'
import { prepared } from '../../database/prepared.ts'
import { text } from '../../database/row.ts'
import { emptyLogAfterCommit } from '../../thread/after-commit.ts'
import { pseudonymise } from '../ledger/ledger-callers.ts'

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
