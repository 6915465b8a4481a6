import type { DatabaseSync } from 'node:sqlite'
import { costMicrosOf } from '../../../../prices/cost-of.ts'
import type { Settlement } from '../../../ledger-contract.ts'
import { readStoredPrice, settlementRow } from '../../../operations/ledger/ledger-rows.ts'
import { integer, integerOrNull, type Row, text, textOrNull } from '../../../operations/row.ts'
import { prepared } from '../../database/prepared.ts'
import { settleRequests } from './settle.ts'

/** Settles requests that a dead server left open, each at its last checkpoint: never more than was sent. */
export const recoverRequests = (db: DatabaseSync, now: number, day: number): number => {
  const rows = prepared(
    db,
    `SELECT request_id, created_at, price, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens, is_estimated,
      written_at
    FROM ledger_open
    JOIN ledger_reservations ON sequence = ledger_open.reservation
    LEFT JOIN ledger_progress ON ledger_progress.reservation = sequence
    ORDER BY sequence`,
  ).all()
  return settleRequests(
    db,
    rows.map((row) => settlementRow(settlementOf(row, now, day))),
    [],
  )
}

const settlementOf = (row: Row, now: number, day: number): Settlement => {
  const createdAt = integer(row, 'created_at')
  const price = readStoredPrice(textOrNull(row, 'price'))
  const counts = {
    promptTokens: integerOrNull(row, 'prompt_tokens') ?? 0,
    cachedTokens: integerOrNull(row, 'cached_tokens') ?? 0,
    completionTokens: integerOrNull(row, 'completion_tokens') ?? 0,
  }
  return {
    requestId: text(row, 'request_id'),
    ...counts,
    costMicros: price === null ? null : costMicrosOf(counts, price),
    reasoningTokens: integerOrNull(row, 'reasoning_tokens') ?? 0,
    isEstimated: row.is_estimated === 1,
    outcome: 'server_died',
    finishReason: null,
    error: null,
    queueMs: null,
    firstTokenMs: null,
    // As long as it is known to have run: how long nobody ran it is no property of the request.
    durationMs: Math.max(0, (integerOrNull(row, 'written_at') ?? createdAt) - createdAt),
    endedAt: now,
    day,
  }
}
