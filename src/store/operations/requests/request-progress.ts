import type { RequestProgress } from '../../request-log-contract.ts'
import { all, type Query } from '../query.ts'
import { integer, text } from '../row.ts'

const select = (sequences: string): string => `SELECT request_id,
    coalesce(completion_tokens, 0) AS completion_tokens, coalesce(written_at - created_at, 0) AS after_ms
  FROM ledger_reservations AS reserved
  JOIN ledger_parties AS parties ON parties.id = party
  LEFT JOIN ledger_progress AS progress ON progress.reservation = reserved.sequence
  WHERE reserved.sequence IN (${sequences}) AND organisation_id = $organisation
  ORDER BY reserved.sequence`

const find = {
  sqlite: select('SELECT value FROM json_each($open)'),
  postgres: select('SELECT id::bigint FROM jsonb_array_elements_text(CAST($open AS jsonb)) AS wanted (id)'),
}

export function* listRequestProgress(organisationId: string, open: readonly number[]): Query<RequestProgress[]> {
  if (open.length === 0) return []
  const rows = yield* all(find, { open: JSON.stringify(open), organisation: organisationId })
  return rows.map((row) => ({
    requestId: text(row, 'request_id'),
    completionTokens: integer(row, 'completion_tokens'),
    // The clock may have been set back in between.
    afterMs: Math.max(0, integer(row, 'after_ms')),
  }))
}
