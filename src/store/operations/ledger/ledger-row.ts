import type { Endpoint, LedgerRow, Outcome } from '../../ledger-contract.ts'
import { integer, integerOrNull, type Row, text, textOrNull } from '../row.ts'
import { storedReservationColumns, storedSettlementColumns } from './ledger-columns.ts'
import { readIgnoredFields, readLimits, readPauses, readRoute, readStoredPrice } from './ledger-rows.ts'

const columns = [
  'reserved.sequence',
  'parties.organisation_id',
  'parties.key_id',
  ...storedReservationColumns.map((name) => `reserved.${name}`),
  ...storedSettlementColumns.map((name) => `settled.${name}`),
]

export const selectLedgerRows = `SELECT ${columns.join(', ')}
  FROM ledger_reservations AS reserved
  JOIN ledger_parties AS parties ON parties.id = reserved.party
  LEFT JOIN ledger_settlements AS settled ON settled.reservation = reserved.sequence`

export const ledgerRow = (row: Row): LedgerRow => ({
  requestId: text(row, 'request_id'),
  organisationId: text(row, 'organisation_id'),
  keyId: textOrNull(row, 'key_id'),
  model: text(row, 'model'),
  endpoint: asEndpoint(text(row, 'endpoint')),
  stream: row.is_stream === 1,
  reservedTokens: integer(row, 'reserved_tokens'),
  price: readStoredPrice(textOrNull(row, 'price')),
  reservedMicros: integerOrNull(row, 'reserved_cost'),
  limits: readLimits(textOrNull(row, 'limits')),
  ...readIgnoredFields(textOrNull(row, 'ignored_fields')),
  ...(row.cached_from === null ? {} : { cachedFrom: text(row, 'cached_from') }),
  createdAt: integer(row, 'created_at'),
  settlement: row.outcome === null ? null : settlement(row),
})

const settlement = (row: Row): LedgerRow['settlement'] => ({
  promptTokens: integer(row, 'prompt_tokens'),
  cachedTokens: integer(row, 'cached_tokens'),
  completionTokens: integer(row, 'completion_tokens'),
  reasoningTokens: integer(row, 'reasoning_tokens'),
  ...(row.is_estimated === 1 ? { isEstimated: true } : {}),
  costMicros: integerOrNull(row, 'cost'),
  outcome: asOutcome(text(row, 'outcome')),
  finishReason: textOrNull(row, 'finish_reason'),
  error: textOrNull(row, 'error'),
  ...readRoute(textOrNull(row, 'route')),
  ...readPauses(textOrNull(row, 'pauses')),
  ...(row.hooks === null ? {} : { hooks: text(row, 'hooks') }),
  ...(row.timed_ms === null ? {} : { timedMs: integer(row, 'timed_ms') }),
  queueMs: integerOrNull(row, 'queue_ms'),
  firstTokenMs: integerOrNull(row, 'first_token_ms'),
  durationMs: integer(row, 'duration_ms'),
  endedAt: integer(row, 'ended_at'),
  day: integer(row, 'day'),
})

/** True because only `reserveRequests` and `refuseRequests` write such a column. */
export const asEndpoint = (value: string): Endpoint => value as Endpoint

/** True because only `settleRequests` writes the column. */
const asOutcome = (value: string): Outcome => value as Outcome
