import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** What describes the database itself, or is computed again. */
const leftOut = ['schema_migrations', 'schema_support', 'store_move', 'ledger_settled']

/** All rows of all tables in a data directory, with the numbers they have. */
export const readTables = (path: string): Record<string, unknown[]> => {
  using db = new DatabaseSync(join(path, 'helix.db'), { readOnly: true, timeout: 5_000 })
  const tables = db
    .prepare("SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name")
    .all()
    .filter(({ name }) => !leftOut.includes(String(name)) && name !== 'sqlite_schema')
  return Object.fromEntries(
    tables.map(({ name, wr }) => {
      const columns = wr === 1 || name === 'sqlite_sequence' ? '*' : 'rowid AS row_number, *'
      const rows = db.prepare(`SELECT ${columns} FROM ${name}`).all()
      return [String(name), rows.map((row) => JSON.stringify(row, readable)).sort()]
    }),
  )
}

/** PostgreSQL stores the replacement character in the place of NUL. */
const readable = (_: string, value: unknown): unknown => {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd')
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}
