import type { DeleteOutcome } from '../../account-contract.ts'
import type { OrganisationRecord } from '../../organisation-record.ts'
import { forgetInAudit } from '../audit/forget-in-audit.ts'
import { deleteText } from '../delete-text.ts'
import { ensureFirstOrganisation } from '../organisations/organisations.ts'
import { removeOrganisation } from '../organisations/remove-organisation.ts'
import { all, first, type Query, run } from '../query.ts'
import { text } from '../row.ts'

/** `next`: an empty organisation for a database that would be left without one. */
export function* removeAccount(id: string, next: OrganisationRecord): Query<DeleteOutcome> {
  const found = yield* first('SELECT is_owner FROM accounts WHERE id = ?', id)
  if (found === undefined) return { outcome: 'not_found' }
  if (found.is_owner === 1 && !(yield* mayOwnerLeave(id))) return { outcome: 'last_owner' }
  if (yield* ownsOthersPlace(id)) return { outcome: 'last_organisation_owner' }
  const alone = yield* all(
    `SELECT organisation_id FROM memberships AS mine WHERE account_id = ? AND NOT EXISTS (
      SELECT 1 FROM memberships AS other
      WHERE other.organisation_id = mine.organisation_id AND other.account_id <> mine.account_id
    )`,
    id,
  )
  const organisationIds = alone.map((row) => text(row, 'organisation_id'))
  const keyIds: string[] = []
  for (const organisationId of organisationIds) keyIds.push(...(yield* removeOrganisation(organisationId)))
  yield* run(
    'UPDATE invitations SET withdrawn_at = ? WHERE invited_by = ? AND withdrawn_at IS NULL',
    next.createdAt,
    id,
  )
  yield* forgetInAudit({ accountId: id, organisationIds, keyIds })
  // Events of other organisations that name the person.
  const named = `DELETE FROM webhook_events WHERE type = 'sign_in.new_place' AND data LIKE ?`
  yield* deleteText(run(named, `%"account_id":"${id}"%`))
  yield* deleteText(run('DELETE FROM accounts WHERE id = ?', id))
  yield* ensureFirstOrganisation(next)
  return { outcome: 'deleted', keyIds }
}

/** Whether the server has another owner, or no other account. */
function* mayOwnerLeave(id: string): Query<boolean> {
  const others = 'SELECT count(*) AS all_others, coalesce(sum(is_owner), 0) AS owners FROM accounts WHERE id <> ?'
  const row = yield* first(others, id)
  return row?.all_others === 0 || row?.owners !== 0
}

/** Whether an organisation with other members would be left without an owner. */
function* ownsOthersPlace(id: string): Query<boolean> {
  return (
    (yield* first(
      `SELECT 1 FROM memberships AS mine WHERE account_id = ? AND role = 'owner'
       AND EXISTS (SELECT 1 FROM memberships AS other
         WHERE other.organisation_id = mine.organisation_id AND other.account_id <> mine.account_id)
       AND NOT EXISTS (SELECT 1 FROM memberships AS other
         WHERE other.organisation_id = mine.organisation_id AND other.account_id <> mine.account_id
           AND other.role = 'owner')`,
      id,
    )) !== undefined
  )
}
