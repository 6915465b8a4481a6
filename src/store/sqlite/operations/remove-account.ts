import type { DatabaseSync } from 'node:sqlite'
import type { DeleteOutcome } from '../../account-contract.ts'
import type { OrganisationRecord } from '../../contract.ts'
import { prepared } from '../prepared.ts'
import { text } from '../row.ts'
import { ensureFirstOrganisation } from './organisations.ts'
import { pseudonymise } from './parties.ts'

/** `next`: an empty organisation for a database that would be left without one. */
export const removeAccount = (db: DatabaseSync, id: string, next: OrganisationRecord): DeleteOutcome => {
  const found = prepared(db, 'SELECT is_owner FROM accounts WHERE id = ?').get(id)
  if (found === undefined) return { outcome: 'not_found' }
  if (found.is_owner === 1 && !mayOwnerLeave(db, id)) return { outcome: 'last_owner' }
  const alone = prepared(
    db,
    `SELECT organisation_id FROM memberships AS mine WHERE account_id = ? AND NOT EXISTS (
      SELECT 1 FROM memberships AS other
      WHERE other.organisation_id = mine.organisation_id AND other.account_id <> mine.account_id
    )`,
  ).all(id)
  const keyIds = alone.flatMap((row) => removeOrganisation(db, text(row, 'organisation_id')))
  prepared(db, 'DELETE FROM accounts WHERE id = ?').run(id)
  ensureFirstOrganisation(db, next)
  return { outcome: 'deleted', keyIds }
}

/** There is another owner, or nobody is left who would need one. */
const mayOwnerLeave = (db: DatabaseSync, id: string): boolean => {
  const others = prepared(db, 'SELECT count(*) AS all_others, total(is_owner) AS owners FROM accounts WHERE id <> ?')
  const row = others.get(id)
  return row?.all_others === 0 || row?.owners !== 0
}

/** Memberships, sessions, replays and the pairs of metadata go by themselves. The ledger stays, without the names. */
const removeOrganisation = (db: DatabaseSync, id: string): string[] => {
  prepared(db, 'DELETE FROM stored_completions WHERE organisation_id = ?').run(id)
  const keys = prepared(db, 'DELETE FROM api_keys WHERE organisation_id = ? RETURNING id').all(id)
  pseudonymise(db, id)
  prepared(db, 'DELETE FROM organisations WHERE id = ?').run(id)
  return keys.map((row) => text(row, 'id'))
}
