import { reaches } from '../../decide-member-change.ts'
import { type Acting, type MemberRecord, type OwnOrganisation, type Role, roles } from '../../team-contract.ts'
import { all, first, type Query, run } from '../query.ts'
import { integer, integerOrNull, type Row, text, word } from '../row.ts'

export function* listOwnOrganisations(accountId: string): Query<OwnOrganisation[]> {
  return (yield* all(
    `SELECT organisations.id, name, organisations.created_at, suspended_at, mine.role,
       (SELECT count(*) FROM memberships AS everybody WHERE everybody.organisation_id = organisations.id) AS members
     FROM memberships AS mine JOIN organisations ON organisations.id = mine.organisation_id
     WHERE mine.account_id = ? ORDER BY mine.rowid`,
    accountId,
  )).map((row) => ({
    id: text(row, 'id'),
    name: text(row, 'name'),
    createdAt: integer(row, 'created_at'),
    suspendedAt: integerOrNull(row, 'suspended_at'),
    role: roleIn(row),
    members: integer(row, 'members'),
  }))
}

export function* listMembers(organisationId: string): Query<MemberRecord[]> {
  return (yield* all(
    `SELECT accounts.id, email, role, memberships.created_at, last_seen_at, suspended_at
     FROM memberships JOIN accounts ON accounts.id = memberships.account_id
     WHERE organisation_id = ? ORDER BY memberships.rowid`,
    organisationId,
  )).map((row) => ({
    accountId: text(row, 'id'),
    email: text(row, 'email'),
    role: roleIn(row),
    joinedAt: integer(row, 'created_at'),
    lastSeenAt: integerOrNull(row, 'last_seen_at'),
    suspendedAt: integerOrNull(row, 'suspended_at'),
  }))
}

/** Null when the account does not belong to the organisation. */
export function* findRole(organisationId: string, accountId: string): Query<Role | null> {
  const find = 'SELECT role FROM memberships WHERE organisation_id = ? AND account_id = ?'
  const row = yield* first(find, organisationId, accountId)
  return row === undefined ? null : roleIn(row)
}

export function* setRole(organisationId: string, accountId: string, role: Role): Query<void> {
  yield* run(
    'UPDATE memberships SET role = ? WHERE organisation_id = ? AND account_id = ?',
    role,
    organisationId,
    accountId,
  )
}

export function* addMember(member: {
  accountId: string
  organisationId: string
  role: Role
  now: number
}): Query<void> {
  yield* run(
    'INSERT INTO memberships (account_id, organisation_id, role, created_at) VALUES (?, ?, ?, ?)',
    member.accountId,
    member.organisationId,
    member.role,
    member.now,
  )
}

export function* countOwners(organisationId: string): Query<number> {
  const count = "SELECT count(*) AS owners FROM memberships WHERE organisation_id = ? AND role = 'owner'"
  return integer((yield* first(count, organisationId)) ?? {}, 'owners')
}

/** What the actor's current role does not allow. */
export function* lacking(by: Acting, needed: Role): Query<{ outcome: 'role_too_low'; needed: Role } | null> {
  const role = yield* findRole(by.organisationId, by.accountId)
  return role !== null && reaches(role, needed) ? null : { outcome: 'role_too_low', needed }
}

export const roleIn = (row: Row): Role => word(row, 'role', roles)
