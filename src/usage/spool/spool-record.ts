import { parseJsonText } from '../../base/parse-json-text.ts'
import type { ProgressCheckpoint, ReservationRecord, Settlement } from '../../store/ledger-contract.ts'
import type { ReplayRecord } from '../../store/replay-contract.ts'

/** What could not be written to the database, as a line of the spool. */
export type SpoolRecord =
  | { kind: 'reservation'; reservation: ReservationRecord }
  | { kind: 'checkpoint'; checkpoint: ProgressCheckpoint }
  | { kind: 'settlement'; settlement: Settlement; replay: ReplayRecord | null }

export const spoolLine = (record: SpoolRecord): string =>
  JSON.stringify(record, (_name, value: unknown) =>
    value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value,
  )

/** Null if the line is damaged. */
export const readSpoolLine = (line: string): SpoolRecord | null => {
  try {
    const value = parseJsonText(line, (_name, value: unknown) => (isBytes(value) ? decodeBytes(value) : value))
    return isSpoolRecord(value) ? value : null
  } catch {
    return null
  }
}

const isBytes = (value: unknown): value is { base64: string } =>
  typeof value === 'object' && value !== null && 'base64' in value && typeof value.base64 === 'string'

const decodeBytes = ({ base64 }: { base64: string }): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'))

const ids = { reservation: 'reservation', checkpoint: 'checkpoint', settlement: 'settlement' } as const

/** Sound for lines of `spoolLine`: a line is whole or damaged, and a damaged one is no JSON. */
const isSpoolRecord = (value: unknown): value is SpoolRecord => {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false
  const { kind } = value
  return typeof kind === 'string' && kind in ids && kind in value
}
