import { type Query, run } from '../../../operations/query.ts'
import {
  maxKeptRefusals,
  refusalColumnNames,
  refusalColumns,
  refusalRow,
} from '../../../operations/requests/refusals.ts'
import type { Refusal } from '../../../request-log-contract.ts'
import { jsonText, jsonValues } from '../ledger/json-text.ts'
import { currentTransaction } from '../ledger/transaction-ids.ts'

/** A request that the ledger has was admitted, however it ended: it is not recorded twice. */
const insert = `INSERT INTO refused_requests (transaction_id, ${refusalColumnNames})
  SELECT ${currentTransaction}, ${jsonValues(refusalColumns).join(', ')}
    FROM jsonb_array_elements(CAST(? AS jsonb)) WITH ORDINALITY AS list (item, n)
    WHERE EXISTS (SELECT 1 FROM organisations WHERE id = item->>1)
      AND NOT EXISTS (SELECT 1 FROM ledger_reservations WHERE request_id = item->>0)
    ORDER BY n ON CONFLICT DO NOTHING`

const trim = `DELETE FROM refused_requests WHERE organisation_id = $organisation AND (transaction_id, sequence) <= (
    SELECT transaction_id, sequence FROM refused_requests WHERE organisation_id = $organisation
    ORDER BY transaction_id DESC, sequence DESC LIMIT 1 OFFSET ${maxKeptRefusals}
  )`

export function* refuseRequests(refusals: readonly Refusal[]): Query<void> {
  if (refusals.length === 0) return
  yield* run(insert, jsonText(refusals.map(refusalRow)))
  for (const organisationId of new Set(refusals.map((refusal) => refusal.organisationId)))
    yield* run(trim, { organisation: organisationId })
}
