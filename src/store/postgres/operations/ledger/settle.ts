import { settlementColumns, storedSettlementColumns } from '../../../operations/ledger/ledger-columns.ts'
import type { SettlementRow } from '../../../operations/ledger/ledger-rows.ts'
import { first, type Query } from '../../../operations/query.ts'
import { replayColumns } from '../../../operations/replays/replays.ts'
import { integer } from '../../../operations/row.ts'
import { addToDay, totalColumns } from '../../../operations/usage/totals.ts'
import type { ReplayRecord } from '../../../replay-contract.ts'
import { jsonText, jsonValues } from './json-text.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/**
 * Settlements, totals and replays in one statement, and so in one round trip and one transaction. The primary key decides
 * which statement settles a request; any other adds nothing to the totals and stores no answer. Rows are written in the order of
 * their keys, so that two statements never wait for each other. Each reservation is looked up by itself: PostgreSQL expects a
 * hundred of them, and would read a whole table that is not large yet.
 */
const settleWith = (keep: string): string => `WITH input AS MATERIALIZED (
    SELECT DISTINCT ON (reserved.sequence) reserved.sequence, reserved.request_id, reserved.party, reserved.model, item
    FROM jsonb_array_elements(CAST($rows AS jsonb)) WITH ORDINALITY AS list (item, n)
    CROSS JOIN LATERAL (
      SELECT sequence, request_id, party, model FROM ledger_reservations WHERE request_id = item->>0 LIMIT 1
    ) AS reserved
    ORDER BY reserved.sequence, n
  ), settled AS (
    INSERT INTO ledger_settlements (reservation, ${storedSettlementColumns.join(', ')})
      SELECT sequence, ${jsonValues(settlementColumns, 1).join(', ')}
      FROM input ORDER BY sequence
    ON CONFLICT (reservation) DO NOTHING RETURNING *
  ), added AS (
    INSERT INTO usage_days (party, day, model, ${totalColumns.join(', ')})
      SELECT party, day, model, count(*), count(*) FILTER (WHERE outcome IN ('failed', 'server_died')),
        count(*) FILTER (WHERE outcome = 'client_closed'), sum(is_estimated), coalesce(sum(cost), 0), sum(prompt_tokens),
        sum(cached_tokens), sum(completion_tokens), sum(reasoning_tokens), count(first_token_ms),
        coalesce(sum(first_token_ms), 0), coalesce(sum(completion_tokens - 1) FILTER (WHERE timed_ms IS NOT NULL), 0),
        coalesce(sum(timed_ms), 0), sum(duration_ms)
      FROM settled JOIN input ON sequence = reservation GROUP BY party, day, model ORDER BY party, day, model
    ${addToDay}
  )${keep}
  SELECT count(*) AS settled FROM settled`

const keepReplays = `, kept AS (
    INSERT INTO replays (${replayColumns})
      SELECT DISTINCT ON (replay->>0, replay->>1) replay->>0, decode(replay->>1, 'hex'), decode(replay->>2, 'hex'),
        replay->>3, replay->>4, (replay->>5)::smallint, (replay->>6)::bigint, (replay->>7)::bigint,
        octet_length(replay->>8), replay->>8
      FROM jsonb_array_elements(CAST($replays AS jsonb)) WITH ORDINALITY AS list (replay, n)
      JOIN input ON input.request_id = replay->>4 JOIN settled ON reservation = sequence
      WHERE EXISTS (SELECT 1 FROM organisations WHERE id = replay->>0)
      ORDER BY replay->>0, replay->>1, n
    ON CONFLICT (organisation_id, key_hash) DO UPDATE SET body_hash = excluded.body_hash,
      completion_id = excluded.completion_id, request_id = excluded.request_id, is_stream = excluded.is_stream,
      created_at = excluded.created_at, expires_at = excluded.expires_at, bytes = excluded.bytes,
      content = excluded.content
    WHERE replays.expires_at <= excluded.created_at
  )`
/** Few requests have an answer to keep, and what is not in the statement needs no time. */
const settleOnly = settleWith('')
const settleAndKeep = settleWith(keepReplays)

export function* settleRequests(rows: readonly SettlementRow[], replays: readonly ReplayRecord[]): Query<number> {
  if (rows.length === 0) return 0
  const settled = { rows: jsonText(rows) }
  const row = yield* replays.length === 0
    ? first(settleOnly, settled)
    : first(settleAndKeep, { ...settled, replays: jsonText(replays.map(replayRow)) })
  return row === undefined ? 0 : integer(row, 'settled')
}

const replayRow = (replay: ReplayRecord): unknown[] => [
  replay.organisationId,
  hex(replay.keyHash),
  hex(replay.bodyHash),
  replay.completionId,
  replay.requestId,
  replay.stream ? 1 : 0,
  replay.createdAt,
  replay.expiresAt,
  replay.content,
]
