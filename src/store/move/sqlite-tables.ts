import { DatabaseSync } from 'node:sqlite'
import { integer, integerOrNull, type Row, text } from '../operations/row.ts'
import { openBackgroundTasks } from '../sqlite/background/background-tasks.ts'
import { readMoveMark } from '../sqlite/database/move-mark.ts'
import { prepared } from '../sqlite/database/prepared.ts'
import { schemaVersion } from '../sqlite/migrate.ts'
import { maxBytes, maxRows, rowBytes } from './cells.ts'
import { ownTables } from './shared-tables.ts'
import type { Cell, Cells, LastNumbers, NumberRange, StoreTables, Table } from './store-tables.ts'

const busyTimeoutMs = 5_000

/** The tables of a database file, which a server may be using: readers and its writer do not wait for each other. */
export const openSqliteTables = (file: string, place: string): StoreTables => {
  const db = new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs })
  return { ...sqliteTables(db, file, place), close: async () => db.close() }
}

export const sqliteTables = (db: DatabaseSync, file: string, place: string): Omit<StoreTables, 'close'> => ({
  place,
  version: async () => schemaVersion(db),
  store: async () => {
    if (schemaVersion(db) === 0) return null
    const row = db.prepare('SELECT id FROM organisations ORDER BY rowid LIMIT 1').get()
    return row === undefined ? null : text(row, 'id')
  },
  list: async () => listTables(db),
  sizeBytes: async () => {
    const size = db.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()')
    return integer(size.get() ?? {}, 'bytes')
  },
  scan: (table, range) => scanTable(db, table, range),
  find: async (table, keys) => {
    const find = arrays(db, `SELECT ${names(table.columns)} FROM ${table.name} WHERE ${keyCondition(table)}`)
    return keys.flatMap((key) => asRows(find.all(...key)))
  },
  count: async ({ name }, range) => {
    const count = prepared(
      db,
      `SELECT count(*) AS rows FROM ${name} ${range === undefined ? '' : `WHERE ${inRange(range)}`}`,
    )
    return integer(count.get(...rangeBounds(range)) ?? {}, 'rows')
  },
  firstNumber: async ({ name }, range) => {
    const first = prepared(db, `SELECT min("${range.column}") AS number FROM ${name} WHERE ${inRange(range)}`)
    return integerOrNull(first.get(...rangeBounds(range)) ?? {}, 'number')
  },
  summarise: async ({ name }, range, columns) => {
    const sums = `concat_ws(' ', ${columns.map((column) => `sum("${column}")`).join(', ')})`
    const summary = prepared(db, `SELECT count(*) AS rows, ${sums} AS sums FROM ${name} WHERE ${inRange(range)}`)
    const row = summary.get(...rangeBounds(range)) ?? {}
    return { rows: integer(row, 'rows'), sums: text(row, 'sums') }
  },
  lastNumbers: async () => readLastNumbers(db),
  verifyUsage: () => openBackgroundTasks(file).verifyUsage(),
  readMark: async () => readMoveMark(db),
})

/** `rowid` is the order of insertion in every table, except in tables without it. */
const listTables = (db: DatabaseSync): Table[] => {
  const tables = db.prepare(
    `SELECT name, wr FROM pragma_table_list
      WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  )
  const selectColumns = db.prepare('SELECT name, pk FROM pragma_table_info(?) ORDER BY cid')
  return tables
    .all()
    .filter((row) => !ownTables.includes(text(row, 'name')))
    .map((row) => {
      const rows = selectColumns.all(text(row, 'name'))
      const columns = rows.map((column) => text(column, 'name'))
      const key = rows
        .filter((column) => integer(column, 'pk') > 0)
        .sort((one, two) => integer(one, 'pk') - integer(two, 'pk'))
        .map((column) => text(column, 'name'))
      return {
        name: text(row, 'name'),
        columns: integer(row, 'wr') === 1 ? columns : ['rowid', ...columns],
        key: key.length === 0 ? columns : key,
      }
    })
}

/** In the order of insertion where rows have one: a statement for each batch, so that no snapshot is held for long. */
async function* scanTable(db: DatabaseSync, table: Table, range?: NumberRange): AsyncGenerator<Cells[]> {
  const { wr } =
    prepared(db, "SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?").get(table.name) ?? {}
  const order = wr === 1 ? table.key : ['rowid']
  const select = `SELECT ${names([...order, ...table.columns])} FROM ${table.name}`
  const rest = `ORDER BY ${names(order)} LIMIT ${maxRows}`
  const within = range === undefined ? 'true' : inRange(range)
  const bounds = rangeBounds(range)
  const first = arrays(db, `${select} WHERE ${within} ${rest}`)
  const beyond = `(${names(order)}) > (${order.map(() => '?').join(', ')})`
  const next = arrays(db, `${select} WHERE ${within} AND ${beyond} ${rest}`)
  let last: Cells | null = null
  for (;;) {
    const batch: Cells[] = []
    let bytes = 0
    for (const row of last === null ? first.iterate(...bounds) : next.iterate(...bounds, ...last)) {
      const cells: Cells = asCells(row)
      last = cells.slice(0, order.length)
      batch.push(cells.slice(order.length))
      bytes += rowBytes(cells)
      if (bytes >= maxBytes) break
    }
    if (batch.length === 0) return
    yield batch
  }
}

const readLastNumbers = (db: DatabaseSync): LastNumbers => {
  const rows = db.prepare("SELECT name, seq FROM sqlite_sequence WHERE typeof(seq) = 'integer'").all()
  return new Map(rows.map((row: Row) => [text(row, 'name'), integer(row, 'seq')]))
}

export const names = (columns: readonly string[]): string => columns.map((column) => `"${column}"`).join(', ')

export const keyCondition = ({ key }: Table): string => key.map((column) => `"${column}" = ?`).join(' AND ')

const inRange = ({ column }: NumberRange): string => `"${column}" BETWEEN ? AND ?`

const rangeBounds = (range: NumberRange | undefined): number[] => (range === undefined ? [] : [range.from, range.to])

const arrays = (db: DatabaseSync, sql: string) => {
  const statement = prepared(db, sql)
  statement.setReturnArrays(true)
  return statement
}

/** True because the statement returns arrays, and the tables are strict: they contain numbers, texts and bytes. */
const asCells = (row: unknown): Cells => row as Cell[]
const asRows = (rows: unknown): Cells[] => rows as Cell[][]
