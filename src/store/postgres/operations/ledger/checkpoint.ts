import type { ProgressRow } from '../../../operations/ledger/ledger-rows.ts'
import { type Query, run } from '../../../operations/query.ts'
import { jsonText } from './json-text.ts'

const columns = ['prompt_tokens', 'cached_tokens', 'completion_tokens', 'reasoning_tokens', 'is_estimated']

/** In the order of the reservations, so that two statements never wait for each other. */
const upsert = `INSERT INTO ledger_progress (reservation, ${columns.join(', ')}, written_at)
  SELECT DISTINCT ON (reserved.sequence) reserved.sequence,
    ${columns.map((_, index) => `(item->>${index + 1})::bigint`).join(', ')}, CAST($now AS bigint)
  FROM jsonb_array_elements(CAST($rows AS jsonb)) WITH ORDINALITY AS list (item, n)
  CROSS JOIN LATERAL (SELECT sequence FROM ledger_reservations WHERE request_id = item->>0 LIMIT 1) AS reserved
  WHERE NOT EXISTS (SELECT 1 FROM ledger_settlements WHERE reservation = reserved.sequence)
  ORDER BY reserved.sequence, n DESC
  ON CONFLICT (reservation) DO UPDATE SET
    ${[...columns, 'written_at'].map((name) => `${name} = excluded.${name}`).join(', ')}`

export function* checkpointProgress(rows: readonly ProgressRow[], now: number): Query<void> {
  if (rows.length > 0) yield* run(upsert, { rows: jsonText(rows), now })
}
