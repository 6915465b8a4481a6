import { type Query, run } from '../../../operations/query.ts'
import {
  maxKeptRefusals,
  refusalColumnNames,
  refusalColumns,
  refusalRow,
} from '../../../operations/requests/refusals.ts'
import type { Refusal } from '../../../request-log-contract.ts'

/** A request that the ledger has was admitted, however it ended: it is not recorded twice. */
const insert = `INSERT INTO refused_requests (${refusalColumnNames})
  SELECT ${refusalColumns.map((_, n) => `?${n + 1}`).join(', ')}
  WHERE EXISTS (SELECT 1 FROM organisations WHERE id = ?2)
    AND NOT EXISTS (SELECT 1 FROM ledger_reservations WHERE request_id = ?1)
  ON CONFLICT DO NOTHING`

const trim = `DELETE FROM refused_requests WHERE organisation_id = $organisation AND sequence <= (
    SELECT sequence FROM refused_requests WHERE organisation_id = $organisation
    ORDER BY sequence DESC LIMIT 1 OFFSET ${maxKeptRefusals}
  )`

/** One by one, which costs little within a process. PostgreSQL inserts all in one round trip, with their transaction. */
export function* refuseRequests(refusals: readonly Refusal[]): Query<void> {
  for (const refusal of refusals) yield* run(insert, ...refusalRow(refusal))
  for (const organisationId of new Set(refusals.map((refusal) => refusal.organisationId)))
    yield* run(trim, { organisation: organisationId })
}
