import type { UsageDifference } from '../../ledger-contract.ts'
import { all, first, type Query } from '../query.ts'
import { integer, integerOrNull, type Row, text, textOrNull } from '../row.ts'
import { totalColumns, usageTotals } from './totals.ts'

type Verdict = { checkedRequests: number; fromDay: number | null; differences: UsageDifference[] }

/** The days that are still complete in the ledger. */
const whole = 'day > coalesce((SELECT day FROM ledger_horizon), 0)'

const counted = `SELECT party, day, model,
    count(*) AS requests,
    count(*) FILTER (WHERE outcome IN ('failed', 'server_died')) AS failed,
    count(*) FILTER (WHERE outcome = 'client_closed') AS client_closed,
    sum(is_estimated) AS estimated,
    coalesce(sum(cost), 0) AS cost,
    sum(prompt_tokens) AS prompt_tokens,
    sum(cached_tokens) AS cached_tokens,
    sum(completion_tokens) AS completion_tokens,
    sum(reasoning_tokens) AS reasoning_tokens,
    count(first_token_ms) AS first_tokens,
    coalesce(sum(first_token_ms), 0) AS first_token_ms,
    coalesce(sum(completion_tokens - 1) FILTER (WHERE timed_ms IS NOT NULL), 0) AS timed_tokens,
    coalesce(sum(timed_ms), 0) AS timed_ms,
    sum(duration_ms) AS duration_ms
  FROM ledger_settlements JOIN ledger_reservations ON sequence = reservation
  WHERE ${whole} GROUP BY party, day, model`

const sides = totalColumns.flatMap((name) => [`counted_${name}`, `kept_${name}`])

/** A union that is grouped: for a full join, SQLite would compare every row with every other. */
const differing = `WITH counted AS (${counted}), sides AS (
    SELECT party, day, model, ${totalColumns.map((name) => `${name} AS counted_${name}, NULL AS kept_${name}`).join(', ')} FROM counted
    UNION ALL
    SELECT party, day, model, ${totalColumns.map((name) => `NULL AS counted_${name}, ${name} AS kept_${name}`).join(', ')}
    FROM usage_days WHERE ${whole}
  ), compared AS (
    SELECT party, day, model, ${sides.map((name) => `max(${name}) AS ${name}`).join(', ')}
    FROM sides GROUP BY party, day, model
    HAVING ${totalColumns.map((name) => `max(counted_${name}) IS DISTINCT FROM max(kept_${name})`).join(' OR ')}
  )
  SELECT day, organisation_id, key_id, model, ${sides.join(', ')}
  FROM compared JOIN ledger_parties AS parties ON parties.id = party ORDER BY day, party, model`

/** The sums are computed by separate SQL, which has only the ledger in common with the totals. */
export function* verifyUsage(): Query<Verdict> {
  const row = yield* first(`SELECT count(*) AS requests, min(day) AS from_day FROM ledger_settlements WHERE ${whole}`)
  const differences = yield* all(differing)
  return {
    checkedRequests: row === undefined ? 0 : integer(row, 'requests'),
    fromDay: row === undefined ? null : integerOrNull(row, 'from_day'),
    differences: differences.map(difference),
  }
}

const difference = (row: Row): UsageDifference => ({
  day: integer(row, 'day'),
  organisationId: text(row, 'organisation_id'),
  keyId: textOrNull(row, 'key_id'),
  model: text(row, 'model'),
  kept: row.kept_requests === null ? null : usageTotals(row, 'kept_'),
  counted: row.counted_requests === null ? null : usageTotals(row, 'counted_'),
})
