import type { DatabaseSync } from 'node:sqlite'
import { prepared } from '../../sqlite/database/prepared.ts'
import type { ListedOrganisation, SuspendedThing, SuspensionOutcome } from '../../suspension-contract.ts'
import { integer, integerOrNull, text } from '../row.ts'

const tables: Record<SuspendedThing, { table: string; keys: string }> = {
  account: { table: 'accounts', keys: 'created_by = ?' },
  organisation: { table: 'organisations', keys: 'organisation_id = ?' },
  key: { table: 'api_keys', keys: 'id = ?' },
}

/** A second suspension leaves the first as it is. */
export const setSuspended = (
  db: DatabaseSync,
  thing: SuspendedThing,
  id: string,
  at: number | null,
): SuspensionOutcome => {
  const { table, keys } = tables[thing]
  const found = prepared(db, `SELECT * FROM ${table} WHERE id = ?`).get(id)
  if (found === undefined) return { outcome: 'not_found' }
  if (thing === 'account' && found.is_owner === 1) return { outcome: 'owner' }
  const changed = (found.suspended_at === null) !== (at === null)
  if (changed) prepared(db, `UPDATE ${table} SET suspended_at = ? WHERE id = ?`).run(at, id)
  const rows = prepared(db, `SELECT id FROM api_keys WHERE ${keys}`).all(id)
  return { outcome: 'done', changed, keyIds: rows.map((row) => text(row, 'id')) }
}

export const listAllOrganisations = (db: DatabaseSync): ListedOrganisation[] =>
  prepared(
    db,
    `SELECT id, name, created_at, suspended_at,
       (SELECT count(*) FROM memberships WHERE organisation_id = organisations.id) AS members,
       (SELECT count(*) FROM api_keys WHERE organisation_id = organisations.id AND revoked_at IS NULL) AS keys
     FROM organisations ORDER BY rowid`,
  )
    .all()
    .map((row) => ({
      id: text(row, 'id'),
      name: text(row, 'name'),
      createdAt: integer(row, 'created_at'),
      suspendedAt: integerOrNull(row, 'suspended_at'),
      members: integer(row, 'members'),
      keys: integer(row, 'keys'),
    }))
