import type { GivenLimits, LimitsSet } from '../../contract.ts'
import type { OrganisationLimits } from '../../ledger-contract.ts'
import { limitsAgree } from '../../limit-names.ts'
import type { OrganisationRecord } from '../../organisation-record.ts'
import { limitColumns, limitPlaces, limitValues, readLimits } from '../limits/limit-columns.ts'
import { all, first, type Query, run } from '../query.ts'
import { integer, type Row, text } from '../row.ts'

/** Inserts it only if there is no organisation yet, so that every start may call it. */
export function* ensureFirstOrganisation(organisation: OrganisationRecord): Query<void> {
  const insert = `INSERT INTO organisations (id, name, created_at)
    SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM organisations)`
  yield* run(insert, organisation.id, organisation.name, organisation.createdAt)
}

/** Once the server has an owner it is the oldest of theirs: the very first may have been deleted or transferred. */
const oldest = `SELECT id, name, created_at FROM organisations ORDER BY NOT EXISTS (
    SELECT 1 FROM memberships JOIN accounts ON accounts.id = account_id
    WHERE organisation_id = organisations.id AND is_owner = 1
  ), rowid LIMIT 1`

export function* firstOrganisation(): Query<OrganisationRecord> {
  const row = yield* first(oldest)
  if (row === undefined) throw new Error('the database has no organisation')
  return organisationRecord(row)
}

export function* listOrganisations(): Query<(OrganisationRecord & GivenLimits)[]> {
  return (yield* all(
    `SELECT id, name, created_at, ${limitColumns}, ${isServerOrganisation} FROM organisations ORDER BY rowid`,
  )).map((row) => ({ ...organisationRecord(row), ...givenLimits(row) }))
}

export function* findOrganisationLimits(id: string): Query<GivenLimits | null> {
  const row = yield* first(`SELECT ${limitColumns}, ${isServerOrganisation} FROM organisations WHERE id = ?`, id)
  return row === undefined ? null : givenLimits(row)
}

const givenLimits = (row: Row): GivenLimits => ({
  limits: readLimits(row),
  isServerOrganisation: row.is_server_organisation === 1,
})

export function* setOrganisationLimits(
  id: string,
  limits: OrganisationLimits,
  were: OrganisationLimits | null,
): Query<LimitsSet> {
  const current = yield* findOrganisationLimits(id)
  if (current === null) return 'not_found'
  if (were !== null && !limitsAgree(current.limits, were)) return 'limits_changed'
  const update = `UPDATE organisations SET (${limitColumns}) = (${limitPlaces}) WHERE id = ?`
  yield* run(update, ...limitValues(limits), id)
  return 'set'
}

const organisationRecord = (row: Row): OrganisationRecord => ({
  id: text(row, 'id'),
  name: text(row, 'name'),
  createdAt: integer(row, 'created_at'),
})

/**
 * An SQL expression: whether a row of `organisations` is the server organisation. That is the oldest one that an owner
 * of the server owns; before there is an owner, the one that the first owner will take over.
 */
const isServerOrganisation = `CASE WHEN EXISTS (SELECT 1 FROM accounts WHERE is_owner = 1) THEN EXISTS (
    SELECT 1 FROM memberships AS own JOIN accounts ON accounts.id = own.account_id
    WHERE own.organisation_id = organisations.id AND own.role = 'owner' AND is_owner = 1 AND NOT EXISTS (
      SELECT 1 FROM memberships AS other JOIN organisations AS older ON older.id = other.organisation_id
      WHERE other.account_id = own.account_id AND other.role = 'owner' AND older.rowid < organisations.rowid
    )
  ) ELSE 1 = 1 END AS is_server_organisation`
