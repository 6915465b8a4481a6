import type { ProgressRow, ReservationRow, SettlementRow } from './ledger-rows.ts'

/** With the type that PostgreSQL gives to a value from a JSON array. SQLite takes values as they are bound. */
export type Column = { readonly name: string; readonly type: 'text' | 'smallint' | 'integer' | 'bigint' }

/** One for each value of a row, in the same order. */
type ColumnsOf<LedgerRow> = { readonly [Index in keyof LedgerRow]: Column }

const countColumns = [
  { name: 'prompt_tokens', type: 'bigint' },
  { name: 'cached_tokens', type: 'bigint' },
  { name: 'completion_tokens', type: 'bigint' },
  { name: 'reasoning_tokens', type: 'bigint' },
  { name: 'is_estimated', type: 'smallint' },
] as const

/** The ledger has the number of a caller, `party`, in the place of the organisation and the key. */
export const reservationColumns: ColumnsOf<ReservationRow> = [
  { name: 'request_id', type: 'text' },
  { name: 'organisation_id', type: 'text' },
  { name: 'key_id', type: 'text' },
  { name: 'model', type: 'text' },
  { name: 'endpoint', type: 'text' },
  { name: 'is_stream', type: 'smallint' },
  { name: 'reserved_tokens', type: 'bigint' },
  { name: 'price', type: 'text' },
  { name: 'reserved_cost', type: 'bigint' },
  { name: 'limits', type: 'text' },
  { name: 'created_at', type: 'bigint' },
  { name: 'ignored_fields', type: 'text' },
  { name: 'cached_from', type: 'text' },
]

/** The ledger has the sequence of the reservation in the place of the request's id, here and in settlements. */
export const progressColumns: ColumnsOf<ProgressRow> = [{ name: 'request_id', type: 'text' }, ...countColumns]

export const settlementColumns: ColumnsOf<SettlementRow> = [
  { name: 'request_id', type: 'text' },
  ...countColumns,
  { name: 'outcome', type: 'text' },
  { name: 'finish_reason', type: 'text' },
  { name: 'error', type: 'text' },
  { name: 'queue_ms', type: 'bigint' },
  { name: 'first_token_ms', type: 'bigint' },
  { name: 'duration_ms', type: 'bigint' },
  { name: 'ended_at', type: 'bigint' },
  { name: 'day', type: 'integer' },
  { name: 'cost', type: 'bigint' },
  { name: 'route', type: 'text' },
  { name: 'pauses', type: 'text' },
  { name: 'hooks', type: 'text' },
  { name: 'timed_ms', type: 'bigint' },
]

const nameOf = ({ name }: Column): string => name

/** As the tables have them, without `sequence` or `reservation` and what only PostgreSQL has. */
export const storedReservationColumns = ['request_id', 'party', ...reservationColumns.slice(3).map(nameOf)] as const
export const storedProgressColumns = [...progressColumns.slice(1).map(nameOf), 'written_at'] as const
export const storedSettlementColumns = settlementColumns.slice(1).map(nameOf)

/** A request has one row of progress, which is overwritten. */
export const overwriteProgress = `ON CONFLICT (reservation) DO UPDATE SET
  ${storedProgressColumns.map((name) => `${name} = excluded.${name}`).join(', ')}`
