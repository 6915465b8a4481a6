import type { DatabaseSync } from 'node:sqlite'
import type { DeleteOutcome } from '../../account-contract.ts'
import type { OrganisationRecord } from '../../organisation-record.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import { emptyLogAfterCommit } from '../../sqlite/thread/after-commit.ts'
import { forgetInAudit } from '../audit/forget-in-audit.ts'
import { ensureFirstOrganisation } from '../organisations/organisations.ts'
import { removeOrganisation } from '../organisations/remove-organisation.ts'
import { text } from '../row.ts'

/** `next`: an empty organisation for a database that would be left without one. */
export const removeAccount = (db: DatabaseSync, id: string, next: OrganisationRecord): DeleteOutcome => {
  const found = prepared(db, 'SELECT is_owner FROM accounts WHERE id = ?').get(id)
  if (found === undefined) return { outcome: 'not_found' }
  if (found.is_owner === 1 && !mayOwnerLeave(db, id)) return { outcome: 'last_owner' }
  if (ownsOthersPlace(db, id)) return { outcome: 'last_organisation_owner' }
  const alone = prepared(
    db,
    `SELECT organisation_id FROM memberships AS mine WHERE account_id = ? AND NOT EXISTS (
      SELECT 1 FROM memberships AS other
      WHERE other.organisation_id = mine.organisation_id AND other.account_id <> mine.account_id
    )`,
  ).all(id)
  const organisationIds = alone.map((row) => text(row, 'organisation_id'))
  const keyIds = organisationIds.flatMap((organisationId) => removeOrganisation(db, organisationId))
  prepared(db, 'UPDATE invitations SET withdrawn_at = ? WHERE invited_by = ? AND withdrawn_at IS NULL').run(
    next.createdAt,
    id,
  )
  forgetInAudit(db, { accountId: id, organisationIds, keyIds })
  prepared(db, 'DELETE FROM accounts WHERE id = ?').run(id)
  ensureFirstOrganisation(db, next)
  emptyLogAfterCommit(db)
  return { outcome: 'deleted', keyIds }
}

/** There is another owner, or no member is left who would need one. */
const mayOwnerLeave = (db: DatabaseSync, id: string): boolean => {
  const others = prepared(db, 'SELECT count(*) AS all_others, total(is_owner) AS owners FROM accounts WHERE id <> ?')
  const row = others.get(id)
  return row?.all_others === 0 || row?.owners !== 0
}

/** An organisation with others in it would be left without an owner. */
const ownsOthersPlace = (db: DatabaseSync, id: string): boolean =>
  prepared(
    db,
    `SELECT 1 FROM memberships AS mine WHERE account_id = ? AND role = 'owner'
       AND EXISTS (SELECT 1 FROM memberships AS other
         WHERE other.organisation_id = mine.organisation_id AND other.account_id <> mine.account_id)
       AND NOT EXISTS (SELECT 1 FROM memberships AS other
         WHERE other.organisation_id = mine.organisation_id AND other.account_id <> mine.account_id
           AND other.role = 'owner')`,
  ).get(id) !== undefined
