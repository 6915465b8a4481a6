import { computeCostMicros } from '../../../prices/compute-cost.ts'
import type { Settlement } from '../../ledger-contract.ts'
import { integer, integerOrNull, type Row, text, textOrNull } from '../row.ts'
import { storedProgressColumns } from './ledger-columns.ts'
import { readStoredPrice } from './ledger-rows.ts'

/** What is read of a reservation and its progress. */
export const recoveredColumns = ['request_id', 'created_at', 'price', ...storedProgressColumns].join(', ')

/** The settlement of a request that a dead server left open: its last checkpoint, never more than was sent. */
export const recoveredSettlement = (row: Row, now: number, day: number): Settlement => {
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
    costMicros: price === null ? null : computeCostMicros(counts, price),
    reasoningTokens: integerOrNull(row, 'reasoning_tokens') ?? 0,
    isEstimated: row.is_estimated === 1,
    outcome: 'server_died',
    finishReason: null,
    error: null,
    queueMs: null,
    firstTokenMs: null,
    // Until the last checkpoint; the time until the restart does not count.
    durationMs: Math.max(0, (integerOrNull(row, 'written_at') ?? createdAt) - createdAt),
    endedAt: now,
    day,
  }
}
