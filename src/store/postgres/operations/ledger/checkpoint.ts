import { overwriteProgress, progressColumns, storedProgressColumns } from '../../../operations/ledger/ledger-columns.ts'
import type { ProgressRow } from '../../../operations/ledger/ledger-rows.ts'
import { type Query, run } from '../../../operations/query.ts'
import { jsonText, jsonValues } from './json-text.ts'

/** In the order of the reservations, so that two statements never wait for each other. */
const upsert = `INSERT INTO ledger_progress (reservation, ${storedProgressColumns.join(', ')})
  SELECT DISTINCT ON (reserved.sequence) reserved.sequence,
    ${jsonValues(progressColumns, 1).join(', ')}, CAST($now AS bigint)
  FROM jsonb_array_elements(CAST($rows AS jsonb)) WITH ORDINALITY AS list (item, n)
  CROSS JOIN LATERAL (SELECT sequence FROM ledger_reservations WHERE request_id = item->>0 LIMIT 1) AS reserved
  WHERE NOT EXISTS (SELECT 1 FROM ledger_settlements WHERE reservation = reserved.sequence)
  ORDER BY reserved.sequence, n DESC
  ${overwriteProgress}`

export function* checkpointProgress(rows: readonly ProgressRow[], now: number): Query<void> {
  if (rows.length > 0) yield* run(upsert, { rows: jsonText(rows), now })
}
