import type { DatabaseSync, StatementSync } from 'node:sqlite'

const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>()

/** A statement compiled once for each database. The SQL must be constant: values go in as parameters. */
export const prepared = (db: DatabaseSync, sql: string): StatementSync => {
  let known = statements.get(db)
  if (known === undefined) {
    known = new Map()
    statements.set(db, known)
  }
  let statement = known.get(sql)
  if (statement === undefined) {
    statement = db.prepare(sql)
    known.set(sql, statement)
  }
  return statement
}
