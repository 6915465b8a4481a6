import type { UsageHour } from '../../ledger-contract.ts'
import { all, type Query } from '../query.ts'
import { integer } from '../row.ts'

const hourMs = 3_600_000
/** There is no index by key and time, so at most this many of the newest requests are read. */
const maxRead = 50_000

const hours = (newestFirst: string): string =>
  `SELECT created_at / ${hourMs} * ${hourMs} AS starts_at, count(*) AS requests,
    sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens
  FROM (
    SELECT sequence, created_at FROM ledger_reservations
    WHERE party = (SELECT id FROM ledger_parties WHERE organisation_id = $organisation AND key_id = $key)
    ORDER BY ${newestFirst} LIMIT ${maxRead}
  ) AS newest JOIN ledger_settlements ON reservation = sequence
  WHERE created_at >= $since GROUP BY starts_at ORDER BY starts_at`

const sql = { sqlite: hours('sequence DESC'), postgres: hours('transaction_id DESC, sequence DESC') }

export function* listUsageHours({
  organisationId,
  keyId,
  since,
}: {
  organisationId: string
  keyId: string
  since: number
}): Query<UsageHour[]> {
  const rows = yield* all(sql, { organisation: organisationId, key: keyId, since })
  return rows.map((row) => ({
    startsAt: integer(row, 'starts_at'),
    requests: integer(row, 'requests'),
    promptTokens: integer(row, 'prompt_tokens'),
    completionTokens: integer(row, 'completion_tokens'),
  }))
}
