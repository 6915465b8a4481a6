import type { DatabaseSync } from 'node:sqlite'
import { reaches } from '../../decide-member-change.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import { type Acting, type MemberRecord, type OwnOrganisation, type Role, roles } from '../../team-contract.ts'
import { integer, integerOrNull, type Row, text, word } from '../row.ts'

export const listOwnOrganisations = (db: DatabaseSync, accountId: string): OwnOrganisation[] =>
  prepared(
    db,
    `SELECT organisations.id, name, organisations.created_at, suspended_at, mine.role,
       (SELECT count(*) FROM memberships AS everybody WHERE everybody.organisation_id = organisations.id) AS members
     FROM memberships AS mine JOIN organisations ON organisations.id = mine.organisation_id
     WHERE mine.account_id = ? ORDER BY mine.rowid`,
  )
    .all(accountId)
    .map((row) => ({
      id: text(row, 'id'),
      name: text(row, 'name'),
      createdAt: integer(row, 'created_at'),
      suspendedAt: integerOrNull(row, 'suspended_at'),
      role: roleIn(row),
      members: integer(row, 'members'),
    }))

export const listMembers = (db: DatabaseSync, organisationId: string): MemberRecord[] =>
  prepared(
    db,
    `SELECT accounts.id, email, role, memberships.created_at, last_seen_at, suspended_at
     FROM memberships JOIN accounts ON accounts.id = memberships.account_id
     WHERE organisation_id = ? ORDER BY memberships.rowid`,
  )
    .all(organisationId)
    .map((row) => ({
      accountId: text(row, 'id'),
      email: text(row, 'email'),
      role: roleIn(row),
      joinedAt: integer(row, 'created_at'),
      lastSeenAt: integerOrNull(row, 'last_seen_at'),
      suspendedAt: integerOrNull(row, 'suspended_at'),
    }))

/** Null when the account does not belong to the organisation. */
export const roleOf = (db: DatabaseSync, organisationId: string, accountId: string): Role | null => {
  const find = 'SELECT role FROM memberships WHERE organisation_id = ? AND account_id = ?'
  const row = prepared(db, find).get(organisationId, accountId)
  return row === undefined ? null : roleIn(row)
}

export const setRole = (db: DatabaseSync, organisationId: string, accountId: string, role: Role): void => {
  prepared(db, 'UPDATE memberships SET role = ? WHERE organisation_id = ? AND account_id = ?').run(
    role,
    organisationId,
    accountId,
  )
}

export const addMember = (
  db: DatabaseSync,
  member: { accountId: string; organisationId: string; role: Role; now: number },
): void => {
  prepared(db, 'INSERT INTO memberships (account_id, organisation_id, role, created_at) VALUES (?, ?, ?, ?)').run(
    member.accountId,
    member.organisationId,
    member.role,
    member.now,
  )
}

export const countOwners = (db: DatabaseSync, organisationId: string): number => {
  const count = "SELECT count(*) AS owners FROM memberships WHERE organisation_id = ? AND role = 'owner'"
  return integer(prepared(db, count).get(organisationId) ?? {}, 'owners')
}

/** What the actor's current role does not allow. */
export const lacking = (
  db: DatabaseSync,
  by: Acting,
  needed: Role,
): { outcome: 'role_too_low'; needed: Role } | null => {
  const role = roleOf(db, by.organisationId, by.accountId)
  return role !== null && reaches(role, needed) ? null : { outcome: 'role_too_low', needed }
}

export const roleIn = (row: Row): Role => word(row, 'role', roles)
