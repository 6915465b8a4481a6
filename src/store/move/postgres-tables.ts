import type { ClientBase } from 'pg'
import { integer, integerOrNull, type Row, text, textOrNull } from '../operations/row.ts'
import { verifyUsage } from '../operations/usage/verify-usage.ts'
import { schemaVersion } from '../postgres/migrate.ts'
import { readMoveMark } from '../postgres/move-mark.ts'
import { runQuery } from '../postgres/run-query.ts'
import { maxBytes, maxRows } from './cells.ts'
import type { PostgresSession } from './postgres-session.ts'
import { ownTables } from './shared-tables.ts'
import type { Cell, Cells, LastNumbers, NumberRange, StoreTables, Table } from './store-tables.ts'

/** The type of each column, by `table.column`. */
export type ColumnTypes = ReadonlyMap<string, string>

/** The tables of a PostgreSQL database. */
export const postgresTables = (session: PostgresSession): Omit<StoreTables, 'close'> => {
  let types: Promise<ColumnTypes> | null = null
  const columnTypes = (): Promise<ColumnTypes> => {
    types ??= session.run(readTypes)
    return types
  }
  return {
    place: session.place,
    version: () =>
      session.run(async (client) => ((await hasTable(client, 'schema_migrations')) ? schemaVersion(client) : 0)),
    store: () => session.run(firstOrganisation),
    list: () => session.run(listTables),
    sizeBytes: async () =>
      integer(await readRow(session, 'SELECT pg_database_size(current_database()) AS bytes'), 'bytes'),
    async *scan(table, range) {
      const known = await columnTypes()
      const order = range === undefined ? table.key : [range.column]
      let last: Cells | null = null
      for (;;) {
        const after = last
        const rows: Cells[] = await session.run((client) => readBatch(client, { table, order, range, after }, known))
        const [newest] = rows.slice(-1)
        if (newest === undefined) return
        last = order.map((column) => newest[table.columns.indexOf(column)] ?? null)
        yield rows
      }
    },
    async find(table, keys) {
      if (keys.length === 0) return []
      const known = await columnTypes()
      const select = `SELECT ${columnList(table.columns, 't.')} FROM ${table.name} AS t JOIN ${keyList(table, known)} ON ${isKey(table)}`
      return session.run((client) => readRows(client, select, toColumns(keys, table.key.length)))
    },
    count: ({ name }, range) =>
      readRow(session, `SELECT count(*) AS rows FROM ${name} ${where(range)}`).then((row) => integer(row, 'rows')),
    firstNumber: ({ name }, range) =>
      readRow(session, `SELECT min("${range.column}") AS number FROM ${name} ${where(range)}`).then((row) =>
        integerOrNull(row, 'number'),
      ),
    async summarise({ name }, range, columns) {
      const sums = `concat_ws(' ', ${columns.map((column) => `sum("${column}")`).join(', ')})`
      const row = await readRow(session, `SELECT count(*) AS rows, ${sums} AS sums FROM ${name} ${where(range)}`)
      return { rows: integer(row, 'rows'), sums: text(row, 'sums') }
    },
    lastNumbers: () => session.run(readLastNumbers),
    verifyUsage: () => session.transact((client) => runQuery(client, verifyUsage())),
    readMark: () => session.run(readMoveMark),
  }
}

export const hasTable = async (client: ClientBase, name: string): Promise<boolean> => {
  const { rows } = await client.query<Row>('SELECT to_regclass($1) IS NOT NULL AS exists', [name])
  return rows[0]?.exists === 1
}

const firstOrganisation = async (client: ClientBase): Promise<string | null> => {
  if (!(await hasTable(client, 'organisations'))) return null
  const { rows } = await client.query<Row>('SELECT id FROM organisations ORDER BY rowid LIMIT 1')
  return rows[0] === undefined ? null : text(rows[0], 'id')
}

const ofSchema = `FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped`

const listTables = async (client: ClientBase): Promise<Table[]> => {
  const { rows } = await client.query<Row>(`SELECT c.relname::text AS name, a.attname::text AS column,
      (SELECT array_position(i.indkey::int2[], a.attnum) FROM pg_index AS i WHERE i.indrelid = c.oid AND i.indisprimary) AS place
    ${ofSchema} ORDER BY c.relname, a.attnum`)
  const tables = Map.groupBy(rows, (row) => text(row, 'name'))
  return [...tables]
    .filter(([name]) => !ownTables.includes(name))
    .map(([name, found]) => {
      const columns = found.map((row) => text(row, 'column'))
      const key = found
        .filter(({ place }) => place !== null)
        .sort((one, two) => integer(one, 'place') - integer(two, 'place'))
        .map((row) => text(row, 'column'))
      return { name, columns, key: key.length === 0 ? columns : key }
    })
}

export const readTypes = async (client: ClientBase): Promise<ColumnTypes> => {
  const { rows } = await client.query<Row>(
    `SELECT c.relname || '.' || a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type ${ofSchema}`,
  )
  return new Map(rows.map((row) => [text(row, 'column'), text(row, 'type')]))
}

const readRow = (session: PostgresSession, sql: string): Promise<Row> =>
  session.run(async (client) => (await client.query<Row>(sql)).rows[0] ?? {})

/** Safe in SQL, because the numbers come from our own code. */
const where = (range: NumberRange | undefined): string => (range === undefined ? '' : `WHERE ${inRange(range)}`)

const inRange = ({ column, from, to }: NumberRange): string => `"${column}" BETWEEN ${from} AND ${to}`

type Batch = { table: Table; order: readonly string[]; range: NumberRange | undefined; after: Cells | null }

/** In the order of the key as PostgreSQL sorts it, or of the numbers. The sizes of long values are known without reading them. */
const readBatch = (client: ClientBase, batch: Batch, types: ColumnTypes): Promise<Cells[]> => {
  const { after, range } = batch
  const { name, columns } = batch.table
  const long = columns.filter((column) => ['text', 'bytea'].includes(types.get(`${name}.${column}`) ?? ''))
  const size = long.map((column) => `coalesce(octet_length("${column}"), 0)`).join(' + ') || '0'
  const order = columnList(batch.order)
  const beyond = `(${order}) > (${batch.order.map((_, index) => `$${index + 1}`).join(', ')})`
  const conditions = [...(range === undefined ? [] : [inRange(range)]), ...(after === null ? [] : [beyond])]
  const filter = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const read = `SELECT *, ${size} AS size_of_row FROM ${name} ${filter} ORDER BY ${order} LIMIT ${maxRows}`
  const summed = `SELECT *, sum(size_of_row) OVER (ORDER BY ${order}) - size_of_row AS size_before FROM (${read}) AS rows`
  const select = `SELECT ${columnList(columns)} FROM (${summed}) AS rows WHERE size_before < ${maxBytes} ORDER BY ${order}`
  return readRows(client, select, after === null ? [] : [...after])
}

const readRows = async (client: ClientBase, sql: string, values: unknown[]): Promise<Cells[]> => {
  const { rows } = await client.query<Cell[]>({ text: sql, values, rowMode: 'array' })
  return rows
}

const readLastNumbers = async (client: ClientBase): Promise<LastNumbers> => {
  const last = new Map<string, number>()
  for (const { table, sequence } of await listSequences(client)) {
    const { rows } = await client.query<Row>(`SELECT last_value, is_called FROM ${sequence}`)
    const [row = {}] = rows
    last.set(table, integer(row, 'last_value') - (row.is_called === 1 ? 0 : 1))
  }
  return last
}

/** The columns that number their rows. */
export const listSequences = async (
  client: ClientBase,
): Promise<{ table: string; column: string; sequence: string }[]> => {
  const { rows } = await client.query<Row>(
    `SELECT c.relname::text AS table, a.attname::text AS column, pg_get_serial_sequence(c.oid::regclass::text, a.attname) AS sequence
      ${ofSchema} AND a.attidentity <> '' ORDER BY c.relname`,
  )
  return rows.flatMap((row) => {
    const sequence = textOrNull(row, 'sequence')
    return sequence === null ? [] : [{ table: text(row, 'table'), column: text(row, 'column'), sequence }]
  })
}

export const columnList = (columns: readonly string[], prefix = ''): string =>
  columns.map((column) => `${prefix}"${column}"`).join(', ')

/** A list of keys as a table: `$1`, `$2`… are arrays, one for each column. */
export const keyList = ({ name, key }: Table, types: ColumnTypes): string =>
  `unnest(${key.map((column, index) => `$${index + 1}::${types.get(`${name}.${column}`)}[]`).join(', ')}) AS k (${columnList(key)})`

export const isKey = ({ key }: Table): string => key.map((column) => `t."${column}" = k."${column}"`).join(' AND ')

export const toColumns = (rows: readonly Cells[], width: number): Cell[][] =>
  Array.from({ length: width }, (_, index) => rows.map((row) => row[index] ?? null))
