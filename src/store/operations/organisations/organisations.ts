import type { DatabaseSync } from 'node:sqlite'
import type { GivenLimits, LimitsSet } from '../../contract.ts'
import type { OrganisationLimits } from '../../ledger-contract.ts'
import { limitsAgree } from '../../limit-names.ts'
import type { OrganisationRecord } from '../../organisation-record.ts'
import { prepared } from '../../sqlite/database/prepared.ts'
import { limitColumns, limitPlaces, limitsOf, limitValues } from '../limits/limit-columns.ts'
import { integer, type Row, text } from '../row.ts'
import { isServerOrganisation } from './server-organisation.ts'

/** Inserts `first` only if there is no organisation yet, so that every start may call it. */
export const ensureFirstOrganisation = (db: DatabaseSync, first: OrganisationRecord): void => {
  const insert = `INSERT INTO organisations (id, name, created_at)
    SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM organisations)`
  prepared(db, insert).run(first.id, first.name, first.createdAt)
}

/** Once the server has an owner it is the oldest of theirs: the very first may have been deleted or transferred. */
const oldest = `SELECT id, name, created_at FROM organisations ORDER BY NOT EXISTS (
    SELECT 1 FROM memberships JOIN accounts ON accounts.id = account_id
    WHERE organisation_id = organisations.id AND is_owner = 1
  ), rowid LIMIT 1`

export const firstOrganisation = (db: DatabaseSync): OrganisationRecord => {
  const row = prepared(db, oldest).get()
  if (row === undefined) throw new Error('the database has no organisation')
  return organisationRecord(row)
}

export const listOrganisations = (db: DatabaseSync): (OrganisationRecord & GivenLimits)[] =>
  prepared(
    db,
    `SELECT id, name, created_at, ${limitColumns}, ${isServerOrganisation} FROM organisations ORDER BY rowid`,
  )
    .all()
    .map((row) => ({ ...organisationRecord(row), ...givenLimits(row) }))

export const findOrganisationLimits = (db: DatabaseSync, id: string): GivenLimits | null => {
  const row = prepared(db, `SELECT ${limitColumns}, ${isServerOrganisation} FROM organisations WHERE id = ?`).get(id)
  return row === undefined ? null : givenLimits(row)
}

const givenLimits = (row: Row): GivenLimits => ({
  limits: limitsOf(row),
  isServerOrganisation: row.is_server_organisation === 1,
})

export const setOrganisationLimits = (
  db: DatabaseSync,
  id: string,
  limits: OrganisationLimits,
  were: OrganisationLimits | null,
): LimitsSet => {
  const current = findOrganisationLimits(db, id)
  if (current === null) return 'not_found'
  if (were !== null && !limitsAgree(current.limits, were)) return 'limits_changed'
  const update = prepared(db, `UPDATE organisations SET (${limitColumns}) = (${limitPlaces}) WHERE id = ?`)
  update.run(...limitValues(limits), id)
  return 'set'
}

const organisationRecord = (row: Row): OrganisationRecord => ({
  id: text(row, 'id'),
  name: text(row, 'name'),
  createdAt: integer(row, 'created_at'),
})
