import { newId } from '../../../base/ids.ts'
import type { AuditEvent } from '../../audit-contract.ts'
import { type Decision, decideMemberChange, reaches } from '../../decide-member-change.ts'
import type { Acting, RemovalOutcome, Role, RoleOutcome } from '../../team-contract.ts'
import { forgetOrganisationsInAudit } from '../audit/forget-in-audit.ts'
import { recordEvent } from '../audit/record-event.ts'
import { deleteText } from '../delete-text.ts'
import { removeOrganisation } from '../organisations/remove-organisation.ts'
import { all, first, type Query, run } from '../query.ts'
import { text } from '../row.ts'
import { withdrawMemberInvitations } from './invitations.ts'
import { countOwners, findRole, lacking, listMembers, setRole } from './memberships.ts'
import { insertOrganisation } from './organisation-changes.ts'

export function* changeRole(
  by: Acting,
  { accountId, role, was }: { accountId: string; role: Role; was: Role },
  now: number,
): Query<RoleOutcome> {
  const decided = yield* decide(by, accountId, role)
  if (decided.outcome !== 'allowed') return decided
  if (decided.target !== was) return { outcome: 'changed_meanwhile', now: decided.target }
  yield* setRole(by.organisationId, accountId, role)
  // Otherwise members could invite themselves back to the role that they had.
  if (!reaches(role, was)) yield* withdrawMemberInvitations(by.organisationId, accountId, now)
  return { outcome: 'changed' }
}

export function* removeMember(
  by: Acting,
  { accountId, revokeKeys }: { accountId: string; revokeKeys: boolean },
  event: AuditEvent,
): Query<RemovalOutcome> {
  const decided = yield* decide(by, accountId, null)
  if (decided.outcome !== 'allowed') return decided
  const { organisationId } = by
  const now = event.at
  const remove = 'DELETE FROM memberships WHERE organisation_id = ? AND account_id = ?'
  yield* deleteText(run(remove, organisationId, accountId))
  yield* withdrawMemberInvitations(organisationId, accountId, now)
  yield* moveSessions(organisationId, accountId, now)
  yield* recordEvent(event)
  const keyIds = revokeKeys ? yield* revokeMemberKeys(organisationId, accountId, now) : []
  for (const id of keyIds)
    yield* recordEvent({ ...event, action: 'key.revoked', target: { kind: 'key', id, name: null }, details: {} })
  return { outcome: 'removed', keyIds }
}

export function* deleteOrganisation(by: Acting, now: number): Query<RemovalOutcome> {
  const tooLow = yield* lacking(by, 'owner')
  if (tooLow !== null) return tooLow
  const { organisationId } = by
  const members = yield* listMembers(organisationId)
  yield* deleteText(run('DELETE FROM memberships WHERE organisation_id = ?', organisationId))
  for (const { accountId } of members) yield* moveSessions(organisationId, accountId, now)
  const keyIds = yield* removeOrganisation(organisationId)
  yield* forgetOrganisationsInAudit({ organisationIds: [organisationId], keyIds })
  return { outcome: 'removed', keyIds }
}

type Decided =
  | { outcome: 'not_found' }
  | Exclude<Decision, { outcome: 'allowed' }>
  | { outcome: 'allowed'; target: Role }

function* decide(by: Acting, accountId: string, next: Role | null): Query<Decided> {
  const { organisationId } = by
  const target = yield* findRole(organisationId, accountId)
  if (target === null) return { outcome: 'not_found' }
  const actor = yield* findRole(organisationId, by.accountId)
  const isSelf = accountId === by.accountId
  const decision = decideMemberChange({ actor, isSelf, target, next, owners: yield* countOwners(organisationId) })
  return decision.outcome === 'allowed' ? { ...decision, target } : decision
}

/** Sessions continue in the organisation that the account joined first, or in a new one. */
function* moveSessions(organisationId: string, accountId: string, now: number): Query<void> {
  const find = 'SELECT organisation_id FROM memberships WHERE account_id = ? ORDER BY rowid LIMIT 1'
  const row = yield* first(find, accountId)
  const next = row === undefined ? yield* makeOwn(accountId, now) : text(row, 'organisation_id')
  yield* run(
    'UPDATE sessions SET organisation_id = ? WHERE account_id = ? AND organisation_id = ?',
    next,
    accountId,
    organisationId,
  )
}

/** Named like those of new accounts, by the part of the email before the @. */
function* makeOwn(accountId: string, now: number): Query<string> {
  const email = text((yield* first('SELECT email FROM accounts WHERE id = ?', accountId)) ?? {}, 'email')
  const id = newId('org')
  yield* insertOrganisation({ id, name: email.slice(0, email.lastIndexOf('@')), createdAt: now }, accountId)
  return id
}

function* revokeMemberKeys(organisationId: string, accountId: string, now: number): Query<string[]> {
  return (yield* all(
    `UPDATE api_keys SET revoked_at = ? WHERE organisation_id = ? AND created_by = ? AND revoked_at IS NULL
     RETURNING id`,
    now,
    organisationId,
    accountId,
  )).map((row) => text(row, 'id'))
}
