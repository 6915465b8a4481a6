import type { SettledUsage, SettledUsageFilter, SettledUsagePage, UsageTotals } from '../../ledger-contract.ts'
import { firstBegunAfter, longestRequestMs } from '../ledger/first-begun-after.ts'
import { asEndpoint } from '../ledger/ledger-row.ts'
import { all, first, type Query } from '../query.ts'
import { integer, integerOrNull, type Row, text, textOrNull } from '../row.ts'

/** The offset of every time zone is a multiple of it, so that hours and days of any zone are made up of whole ones. */
const quarterMs = 900_000

/** Days up to this one are no longer complete in the ledger; null: all are. */
export function* findLedgerHorizon(): Query<number | null> {
  const row = yield* first('SELECT day FROM ledger_horizon')
  return row === undefined ? null : integer(row, 'day')
}

/**
 * Sums up the settled requests of an organisation by the quarter of an hour in which they ended, caller by caller and
 * newest first. One call looks at `limit` requests and says where the next continues, so that no other search waits long.
 */
export function* countSettledUsage(filter: SettledUsageFilter): Query<SettledUsagePage> {
  const { organisationId, from, until, limit } = filter
  const { after, before } = yield* sequencesAround(from, until)
  const rows: SettledUsage[] = []
  let left = limit
  let place = filter.place
  for (const { id, keyId } of yield* callersFrom(organisationId, place?.caller ?? 0)) {
    const below = place?.caller === id ? place.sequence : before
    const { lookedAt, oldest } = yield* findNewest({ caller: id, after, below, limit: left })
    if (oldest !== null) rows.push(...(yield* readSums({ caller: id, keyId, oldest, below, from, until })))
    left -= lookedAt
    place = null
    if (left <= 0 && oldest !== null) return { rows, next: { caller: id, sequence: oldest } }
  }
  return { rows, next: null }
}

/** Requests that ended in the period have been reserved after the one and before the other. */
function* sequencesAround(from: number, until: number): Query<{ after: number; before: number }> {
  const last = yield* first(
    'SELECT reservation FROM ledger_settlements WHERE ended_at < ? ORDER BY ended_at DESC LIMIT 1',
    from - longestRequestMs,
  )
  const begun = yield* first(firstBegunAfter, until + longestRequestMs, until)
  return {
    after: last === undefined ? 0 : integer(last, 'reservation'),
    before: begun === undefined ? Number.MAX_SAFE_INTEGER : integer(begun, 'reservation'),
  }
}

function* callersFrom(organisationId: string, least: number): Query<{ id: number; keyId: string | null }[]> {
  const rows = yield* all(
    'SELECT id, key_id FROM ledger_parties WHERE organisation_id = ? AND id >= ? ORDER BY id',
    organisationId,
    least,
  )
  return rows.map((row) => ({ id: integer(row, 'id'), keyId: textOrNull(row, 'key_id') }))
}

type Newest = { caller: number; after: number; below: number; limit: number }

function* findNewest(newest: Newest): Query<{ lookedAt: number; oldest: number | null }> {
  const { caller, after, below, limit } = newest
  const row = yield* first(
    `SELECT count(*) AS looked_at, min(sequence) AS oldest FROM (
      SELECT sequence FROM ledger_reservations WHERE party = ? AND sequence > ? AND sequence < ?
      ORDER BY sequence DESC LIMIT ?
    ) AS newest`,
    ...[caller, after, below, limit],
  )
  return row === undefined
    ? { lookedAt: 0, oldest: null }
    : { lookedAt: integer(row, 'looked_at'), oldest: integerOrNull(row, 'oldest') }
}

type Sums = { caller: number; keyId: string | null; oldest: number; below: number; from: number; until: number }

function* readSums({ caller, keyId, oldest, below, from, until }: Sums): Query<SettledUsage[]> {
  const rows = yield* all(
    `SELECT ended_at / ${quarterMs} AS quarter, model, endpoint, outcome, count(*) AS requests,
      sum(is_estimated) AS estimated, sum(coalesce(cost, 0)) AS cost, sum(prompt_tokens) AS prompt_tokens,
      sum(cached_tokens) AS cached_tokens, sum(completion_tokens) AS completion_tokens,
      sum(reasoning_tokens) AS reasoning_tokens, count(first_token_ms) AS first_tokens,
      sum(coalesce(first_token_ms, 0)) AS first_token_ms,
      sum(CASE WHEN timed_ms IS NULL THEN 0 ELSE completion_tokens - 1 END) AS timed_tokens,
      sum(coalesce(timed_ms, 0)) AS timed_ms, sum(duration_ms) AS duration_ms
    FROM ledger_reservations JOIN ledger_settlements ON reservation = sequence
    WHERE party = ? AND sequence >= ? AND sequence < ? AND ended_at >= ? AND ended_at < ?
    GROUP BY ended_at / ${quarterMs}, model, endpoint, outcome ORDER BY quarter, model, endpoint, outcome`,
    ...[caller, oldest, below, from, until],
  )
  return rows.map((row) => {
    const outcome = asOutcome(text(row, 'outcome'))
    const startsAt = integer(row, 'quarter') * quarterMs
    const endpoint = asEndpoint(text(row, 'endpoint'))
    return { startsAt, keyId, model: text(row, 'model'), endpoint, outcome, ...readTotals(row, outcome) }
  })
}

const readTotals = (row: Row, outcome: SettledUsage['outcome']): UsageTotals => {
  const requests = integer(row, 'requests')
  return {
    requests,
    failed: outcome === 'failed' || outcome === 'server_died' ? requests : 0,
    clientClosed: outcome === 'client_closed' ? requests : 0,
    estimated: integer(row, 'estimated'),
    costMicros: integer(row, 'cost'),
    promptTokens: integer(row, 'prompt_tokens'),
    cachedTokens: integer(row, 'cached_tokens'),
    completionTokens: integer(row, 'completion_tokens'),
    reasoningTokens: integer(row, 'reasoning_tokens'),
    firstTokens: integer(row, 'first_tokens'),
    firstTokenMs: integer(row, 'first_token_ms'),
    timedTokens: integer(row, 'timed_tokens'),
    timedMs: integer(row, 'timed_ms'),
    durationMs: integer(row, 'duration_ms'),
  }
}

/** True because only settlements have the column. */
const asOutcome = (value: string): SettledUsage['outcome'] => value as SettledUsage['outcome']
