import type { ListedOrganisation, SuspendedThing, SuspensionOutcome } from '../../suspension-contract.ts'
import { all, first, type Query, run } from '../query.ts'
import { integer, integerOrNull, text } from '../row.ts'

const tables: Record<SuspendedThing, { table: string; keys: string }> = {
  account: { table: 'accounts', keys: 'created_by = ?' },
  organisation: { table: 'organisations', keys: 'organisation_id = ?' },
  key: { table: 'api_keys', keys: 'id = ?' },
}

/** A second suspension leaves the first as it is. */
export function* setSuspended(thing: SuspendedThing, id: string, at: number | null): Query<SuspensionOutcome> {
  const { table, keys } = tables[thing]
  const found = yield* first(`SELECT * FROM ${table} WHERE id = ?`, id)
  if (found === undefined) return { outcome: 'not_found' }
  if (thing === 'account' && found.is_owner === 1) return { outcome: 'owner' }
  const changed = (found.suspended_at === null) !== (at === null)
  if (changed) yield* run(`UPDATE ${table} SET suspended_at = ? WHERE id = ?`, at, id)
  const rows = yield* all(`SELECT id FROM api_keys WHERE ${keys}`, id)
  return { outcome: 'done', changed, keyIds: rows.map((row) => text(row, 'id')) }
}

export function* listAllOrganisations(): Query<ListedOrganisation[]> {
  return (yield* all(`SELECT id, name, created_at, suspended_at,
       (SELECT count(*) FROM memberships WHERE organisation_id = organisations.id) AS members,
       (SELECT count(*) FROM api_keys WHERE organisation_id = organisations.id AND revoked_at IS NULL) AS keys
     FROM organisations ORDER BY rowid`)).map((row) => ({
    id: text(row, 'id'),
    name: text(row, 'name'),
    createdAt: integer(row, 'created_at'),
    suspendedAt: integerOrNull(row, 'suspended_at'),
    members: integer(row, 'members'),
    keys: integer(row, 'keys'),
  }))
}
