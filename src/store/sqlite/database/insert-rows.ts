import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { prepared } from './prepared.ts'

/** Statements for several rows and for one: much of what a short insert costs is the call, not the row. */
export type RowInsert = readonly { readonly rows: number; readonly sql: string }[]

const statementSizes = [16, 4, 1]

export const rowInsert = (table: string, columns: readonly string[]): RowInsert => {
  const row = `(${columns.map(() => '?').join(', ')})`
  return statementSizes.map((rows) => ({
    rows,
    sql: `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${new Array<string>(rows).fill(row).join(', ')}`,
  }))
}

/** Inserts rows of values in the order of the columns. Returns the rowid of the last one. */
export const insertRows = (
  db: DatabaseSync,
  insert: RowInsert,
  rows: readonly (readonly SQLInputValue[])[],
): number => {
  let done = 0
  let lastRowid = 0
  for (const { rows: size, sql } of insert) {
    while (rows.length - done >= size) {
      const values: SQLInputValue[] = []
      for (const row of rows.slice(done, done + size)) values.push(...row)
      lastRowid = Number(prepared(db, sql).run(...values).lastInsertRowid)
      done += size
    }
  }
  return lastRowid
}
