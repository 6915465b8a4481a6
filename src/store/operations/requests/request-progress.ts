import type { RequestProgress } from '../../request-log-contract.ts'
import { all, type Query } from '../query.ts'
import { integer, text } from '../row.ts'

const select = (sequences: string): string => `SELECT request_id, completion_tokens, written_at - created_at AS after_ms
  FROM ledger_progress AS progress
  JOIN ledger_reservations ON sequence = progress.reservation
  JOIN ledger_parties AS parties ON parties.id = party
  WHERE progress.reservation IN (${sequences}) AND organisation_id = $organisation
  ORDER BY progress.reservation`

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
