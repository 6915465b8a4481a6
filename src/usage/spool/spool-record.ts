import { parseJsonText } from '../../base/parse-json-text.ts'
import type { ProgressCheckpoint, ReservationRecord, Settlement } from '../../store/ledger-contract.ts'
import type { ReplayRecord } from '../../store/replay-contract.ts'

/** What could not be written to the database, as a line of the spool. */
export type SpoolRecord =
  | { kind: 'reservation'; reservation: ReservationRecord }
  | { kind: 'checkpoint'; checkpoint: ProgressCheckpoint }
  | { kind: 'settlement'; settlement: Settlement; replay: ReplayRecord | null }

/** A `Buffer` turns itself into something else before `value` is asked for. */
export const spoolLine = (record: SpoolRecord): string =>
  JSON.stringify(record, function (this: Readonly<Record<string, unknown>>, name, value: unknown) {
    const original = this[name]
    return original instanceof Uint8Array ? { base64: Buffer.from(original).toString('base64') } : value
  })

/** Null if the line is damaged. */
export const readSpoolLine = (line: string): SpoolRecord | null => {
  try {
    const value = parseJsonText(line, (_name, value: unknown) => decodeBytes(value) ?? value)
    return isSpoolRecord(value) ? value : null
  } catch {
    return null
  }
}

const decodeBytes = (value: unknown): Uint8Array | null => {
  if (typeof value !== 'object' || value === null) return null
  if ('base64' in value && typeof value.base64 === 'string') return new Uint8Array(Buffer.from(value.base64, 'base64'))
  // Until 2026-11-19 a `Buffer` was written as itself.
  if (!('type' in value && value.type === 'Buffer' && 'data' in value)) return null
  return Array.isArray(value.data) ? Uint8Array.from(value.data.map(Number)) : null
}

const ids = { reservation: 'reservation', checkpoint: 'checkpoint', settlement: 'settlement' } as const

/** Sound for lines of `spoolLine`: a line is whole or damaged, and a damaged one is no JSON. */
const isSpoolRecord = (value: unknown): value is SpoolRecord => {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false
  const { kind } = value
  return typeof kind === 'string' && kind in ids && kind in value
}
