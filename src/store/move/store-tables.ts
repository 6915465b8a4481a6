import type { UsageRecords } from '../ledger-contract.ts'

/** The value of a column. Yes and no are 1 and 0, times and counts are integers. */
export type Cell = number | string | Uint8Array | null

/** A row, in the order of its table's columns. */
export type Cells = readonly Cell[]

/** What both databases have of a table. */
export type Table = {
  readonly name: string
  readonly columns: readonly string[]
  /** The columns that identify a row: the primary key or, without one, all of them. None is ever null. */
  readonly key: readonly string[]
}

/** The rows whose number, in this column, is from `from` to `to`. */
export type NumberRange = { readonly column: string; readonly from: number; readonly to: number }

/** The number of rows, and the sums of some of their columns. */
type RangeSummary = { rows: number; sums: string }

/** Which copy of the data a store is. */
export type MoveMark = {
  /** `incoming`: it is being filled and not complete yet. `moved`: its data is elsewhere now. */
  state: 'incoming' | 'moved'
  /** Where the data comes from, or where it went. */
  place: string
  /** The store that is copied: the id of its first organisation. */
  store: string
  /** Milliseconds since 1970. */
  at: number
}

/** The largest number that a table ever gave to a row, by the name of the table. */
export type LastNumbers = ReadonlyMap<string, number>

/** The tables of a store, whatever database has them. They may be read while a server writes to them. */
export interface StoreTables {
  /** For lines that an operator reads. */
  readonly place: string
  /** The version of the schema; 0: there is none. */
  version(): Promise<number>
  /** The id of the first organisation; null if there is none. */
  store(): Promise<string | null>
  list(): Promise<Table[]>
  /** What the database occupies, with its indexes. */
  sizeBytes(): Promise<number>
  /**
   * All rows, or those of a range in the order of their numbers, in batches of a bounded size. Rows that are added or removed
   * meanwhile may be missed.
   */
  scan(table: Table, range?: NumberRange): AsyncIterable<Cells[]>
  /** Those of the rows with these keys that exist, in any order. */
  find(table: Table, keys: readonly Cells[]): Promise<Cells[]>
  count(table: Table, range?: NumberRange): Promise<number>
  /** The smallest number in a range; null if it has no rows. */
  firstNumber(table: Table, range: NumberRange): Promise<number | null>
  /** Equal in both databases if their rows are equal. The columns contain integers. */
  summarise(table: Table, range: NumberRange, columns: readonly string[]): Promise<RangeSummary>
  lastNumbers(): Promise<LastNumbers>
  verifyUsage(): ReturnType<UsageRecords['verify']>
  readMark(): Promise<MoveMark | null>
  close(): Promise<void>
}

/** A store that is filled. No server uses it. */
export interface TargetTables extends StoreTables {
  /** Marks the store as incoming, and suspends whatever would check or change rows while they are copied. */
  prepare(mark: MoveMark): Promise<void>
  /** The row as this database can store it. */
  storable(row: Cells): Cells
  /** Removes the rows with these keys, and adds these rows unless others are in their way; all or nothing. */
  replace(table: Table, keys: readonly Cells[], rows: readonly Cells[]): Promise<void>
  /** Up to which number the rows of a table were compared one by one; remembered until the store is released. */
  readVerified(table: string): Promise<number | null>
  writeVerified(table: string, upTo: number): Promise<void>
  /** Resumes what `prepare` suspended. Rejects if rows refer to others that do not exist. */
  complete(lastNumbers: LastNumbers): Promise<void>
  /** From now on a server can use the store. */
  release(): Promise<void>
}
