import type { DatabaseSync } from 'node:sqlite'
import type { Endpoint, LedgerRow, Outcome } from '../../../ledger-contract.ts'
import { readLimits, readStoredPrice } from '../../../operations/ledger/ledger-rows.ts'
import { integer, integerOrNull, type Row, text, textOrNull } from '../../../operations/row.ts'
import { prepared } from '../../database/prepared.ts'

const select = `SELECT reserved.sequence, reserved.request_id, organisation_id, key_id, model, endpoint, is_stream, reserved_tokens,
    price, reserved_cost, limits, reserved.created_at, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens, is_estimated, outcome, finish_reason,
    error, queue_ms, first_token_ms, duration_ms, ended_at, day, cost
  FROM ledger_reservations AS reserved
  JOIN ledger_parties AS parties ON parties.id = reserved.party
  LEFT JOIN ledger_settlements AS settled ON settled.reservation = reserved.sequence`

export const findLedgerRow = (db: DatabaseSync, requestId: string): LedgerRow | null => {
  const row = prepared(db, `${select} WHERE reserved.request_id = ?`).get(requestId)
  return row === undefined ? null : ledgerRow(row)
}

/** What was reserved since has ended since, or is still open: the two are found without reading the ledger. */
export const listLedgerSince = (db: DatabaseSync, createdAt: number): LedgerRow[] =>
  prepared(
    db,
    `${select} WHERE reserved.sequence IN (
      SELECT reservation FROM ledger_settlements WHERE ended_at >= $since
      UNION ALL
      SELECT reservation FROM ledger_open JOIN ledger_reservations ON sequence = reservation WHERE created_at >= $since
    ) ORDER BY reserved.sequence`,
  )
    .all({ since: createdAt })
    .map(ledgerRow)

type ListFilter = { organisationId: string | null; before: string | null; limit: number }

export const listLedger = (db: DatabaseSync, { organisationId, before, limit }: ListFilter): LedgerRow[] => {
  const bound = before === null ? Number.MAX_SAFE_INTEGER : sequenceOf(db, organisationId, before)
  if (bound === null) return []
  const sequences = organisationId === null ? newestOfAll(db, bound, limit) : newestOf(db, organisationId, bound, limit)
  return sequences.flatMap((sequence) => rowOfSequence(db, sequence) ?? [])
}

export const rowOfSequence = (db: DatabaseSync, sequence: number): LedgerRow | null => {
  const row = prepared(db, `${select} WHERE reserved.sequence = ?`).get(sequence)
  return row === undefined ? null : ledgerRow(row)
}

/** Many at once cost less than half of what they cost one by one. Those that are not there any more are left out. */
export const rowsOfSequences = (db: DatabaseSync, sequences: readonly number[]): Map<number, LedgerRow> => {
  const find = `${select} WHERE reserved.sequence IN (SELECT value FROM json_each(?))`
  const rows = sequences.length === 0 ? [] : prepared(db, find).all(JSON.stringify(sequences))
  return new Map(rows.map((row) => [integer(row, 'sequence'), ledgerRow(row)]))
}

/** Another organisation's request is as unknown as one that never was. */
const sequenceOf = (db: DatabaseSync, organisationId: string | null, requestId: string): number | null => {
  const find = `SELECT sequence FROM ledger_reservations JOIN ledger_parties AS parties ON parties.id = party
    WHERE request_id = $request AND ($organisation IS NULL OR organisation_id = $organisation)`
  const row = prepared(db, find).get({ request: requestId, organisation: organisationId })
  return row === undefined ? null : integer(row, 'sequence')
}

const newestOfAll = (db: DatabaseSync, bound: number, limit: number): number[] =>
  prepared(db, 'SELECT sequence FROM ledger_reservations WHERE sequence < ? ORDER BY sequence DESC LIMIT ?')
    .all(bound, limit)
    .map((row) => integer(row, 'sequence'))

/** The newest of each of its keys, merged: SQLite itself would read and sort all that the organisation ever asked. */
const newestOf = (db: DatabaseSync, organisationId: string, bound: number, limit: number): number[] =>
  newestOfCallers(db, callersOf(db, organisationId), bound, limit)

export const newestOfCallers = (
  db: DatabaseSync,
  callers: readonly number[],
  bound: number,
  limit: number,
): number[] => {
  const newest = prepared(
    db,
    'SELECT sequence FROM ledger_reservations WHERE party = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?',
  )
  return callers
    .flatMap((caller) => newest.all(caller, bound, limit))
    .map((row) => integer(row, 'sequence'))
    .sort((one, two) => two - one)
    .slice(0, limit)
}

/** An organisation's own numbers in the ledger: one for each key, and one for the playground, which has none. */
export const callersOf = (db: DatabaseSync, organisationId: string, keyId?: string | null): number[] => {
  const ofKey = keyId === undefined ? '' : 'AND key_id IS $key'
  return prepared(db, `SELECT id FROM ledger_parties WHERE organisation_id = $organisation ${ofKey}`)
    .all({ organisation: organisationId, ...(keyId === undefined ? {} : { key: keyId }) })
    .map((row) => integer(row, 'id'))
}

const ledgerRow = (row: Row): LedgerRow => ({
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
