import type { Row } from './row.ts'

/**
 * Operations are written once for every database, as generators: they yield statements, and whatever runs them answers
 * each with its result. SQLite runs one at a time to its end; PostgreSQL waits in between.
 */
export type Query<Result> = Generator<Statement | Signal, Result, StatementResult>

export type Value = string | number | null | Uint8Array
/** For `$name` in the SQL. */
export type NamedValues = Readonly<Record<string, Value>>
/** For each `?` in the SQL in turn; or one object of named values. */
export type Values = readonly Value[] | readonly [NamedValues]

/** Two texts only if the databases need different ones. They are constant, because each is compiled once: values are parameters. */
export type Sql = string | { readonly sqlite: string; readonly postgres: string }

export type Statement = { readonly wanted: 'first' | 'all' | 'changes'; readonly sql: Sql; readonly values: Values }

/**
 * What a database with caches or a log of its own should know: long texts were deleted, which must not remain in a log;
 * callers in the ledger have other names now.
 */
export type Signal = { readonly signal: 'texts_deleted' | 'callers_renamed' }

/** Typed by the helpers below, which alone yield. */
export type StatementResult = unknown

/** The first row; undefined if there is none. */
export function* first(sql: Sql, ...values: Values): Query<Row | undefined> {
  return asRow(yield { wanted: 'first', sql, values })
}

export function* all(sql: Sql, ...values: Values): Query<Row[]> {
  return asRows(yield { wanted: 'all', sql, values })
}

/** Returns how many rows it inserted, changed or deleted. */
export function* run(sql: Sql, ...values: Values): Query<number> {
  return asCount(yield { wanted: 'changes', sql, values })
}

export function* signal(name: Signal['signal']): Query<void> {
  yield { signal: name }
}

/** True because every runner answers a statement with what it wanted. */
const asRow = (answer: StatementResult): Row | undefined => answer as Row | undefined
const asRows = (answer: StatementResult): Row[] => answer as Row[]
const asCount = (answer: StatementResult): number => answer as number
