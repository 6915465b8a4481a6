import type { ClientBase } from 'pg'
import { parseJsonText } from '../../base/parse-json-text.ts'
import { integer, type Row, text } from '../operations/row.ts'
import { readMoveMark, removeMoveMark, writeMoveMark } from '../postgres/move-mark.ts'
import type { PostgresSession } from './postgres-session.ts'
import {
  type ColumnTypes,
  columnList,
  isKey,
  keyList,
  listSequences,
  postgresTables,
  readTypes,
  toColumns,
} from './postgres-tables.ts'
import type { Cell, Cells, LastNumbers, MoveMark, Table, TargetTables } from './store-tables.ts'

/**
 * Values for columns that SQLite does not have. Copied rows sort before everything that this database will write, by their
 * numbers. All requests are settled before the switch, so no node has to settle copied ones.
 */
const filledColumns: Record<string, string> = { transaction_id: '0', node: "'main'" }

/**
 * A PostgreSQL database that is filled. Foreign keys are created again at the end, and triggers enabled: while a server
 * writes, the rows of two tables are not of the same moment.
 */
export const postgresTarget = async (session: PostgresSession, onReplaced: () => void): Promise<TargetTables> => {
  const types = await session.run(readTypes)
  return {
    ...postgresTables(session),
    storable: (row) => withoutNul(row, onReplaced),
    prepare: (mark) => session.transact((client) => suspendChecks(client, mark)),
    replace: (table, keys, rows) =>
      session.transact(async (client) => {
        if (keys.length > 0) await removeRows(client, table, types, keys)
        if (rows.length > 0) await addRows(client, table, types, rows)
      }),
    complete: (lastNumbers) =>
      session.transact(async (client) => {
        await continueNumbers(client, lastNumbers)
        await resumeChecks(client)
        await client.query('ANALYZE')
      }),
    readVerified: (table) =>
      session.run(async (client) => {
        const { rows } = await client.query<Row>(`SELECT up_to FROM move_verified WHERE name = $1 AND ${isCurrent}`, [
          table,
        ])
        return rows[0] === undefined ? null : integer(rows[0], 'up_to')
      }),
    writeVerified: (table, upTo) =>
      session.run(async (client) => {
        await client.query(
          `INSERT INTO move_verified SELECT $1, $2, max(id) FROM schema_migrations
            ON CONFLICT (name) DO UPDATE SET up_to = excluded.up_to, version = excluded.version`,
          [table, upTo],
        )
      }),
    release: () =>
      session.transact(async (client) => {
        await client.query('DROP TABLE move_verified')
        await removeMoveMark(client)
      }),
    close: () => session.close(),
  }
}

/** A migration may change any row. */
const isCurrent = 'version = (SELECT max(id) FROM schema_migrations)'

/** Only texts that contain NUL, which PostgreSQL cannot store, change: as in the store itself. */
const withoutNul = (row: Cells, onReplaced: () => void): Cells => {
  if (!row.some((cell) => typeof cell === 'string' && cell.includes('\0'))) return row
  onReplaced()
  return row.map((cell) => (typeof cell === 'string' ? cell.replaceAll('\0', '\uFFFD') : cell))
}

const removeRows = (client: ClientBase, table: Table, types: ColumnTypes, keys: readonly Cells[]) =>
  client.query(
    `DELETE FROM ${table.name} AS t USING ${keyList(table, types)} WHERE ${isKey(table)}`,
    toColumns(keys, table.key.length),
  )

const addRows = (client: ClientBase, table: Table, types: ColumnTypes, rows: readonly Cells[]) => {
  const { name, columns } = table
  const filled = Object.keys(filledColumns).filter(
    (column) => types.has(`${name}.${column}`) && !columns.includes(column),
  )
  const arrays = columns.map((column, index) => `$${index + 1}::${types.get(`${name}.${column}`)}[]`)
  const values: Cell[][] = toColumns(rows, columns.length)
  return client.query(
    `INSERT INTO ${name} (${columnList([...columns, ...filled])}) OVERRIDING SYSTEM VALUE
      SELECT ${['r.*', ...filled.map((column) => filledColumns[column])].join(', ')}
      FROM unnest(${arrays.join(', ')}) AS r ON CONFLICT DO NOTHING`,
    values,
  )
}

/** What was suspended before is remembered, also if this process is killed. */
const suspendChecks = async (client: ClientBase, mark: MoveMark): Promise<void> => {
  await client.query(
    'CREATE TABLE IF NOT EXISTS move_verified (name TEXT PRIMARY KEY, up_to BIGINT NOT NULL, version BIGINT NOT NULL)',
  )
  const before = (await readMoveMark(client)) === null ? [] : await readSuspended(client)
  const { rows } = await client.query<Row>(`SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name,
      pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`)
  for (const row of rows) {
    before.push(`ALTER TABLE ${text(row, 'table')} ADD CONSTRAINT ${text(row, 'name')} ${text(row, 'definition')}`)
    await client.query(`ALTER TABLE ${text(row, 'table')} DROP CONSTRAINT ${text(row, 'name')}`)
  }
  for (const table of await tablesWithTriggers(client)) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
  await writeMoveMark(client, mark, JSON.stringify(before))
}

const resumeChecks = async (client: ClientBase): Promise<void> => {
  for (const statement of await readSuspended(client)) await client.query(statement)
  for (const table of await tablesWithTriggers(client)) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
  await client.query("UPDATE store_move SET suspended = '[]'")
}

const readSuspended = async (client: ClientBase): Promise<string[]> => {
  const { rows } = await client.query<Row>('SELECT suspended FROM store_move')
  const list = parseJsonText(text(rows[0] ?? {}, 'suspended'))
  return Array.isArray(list) ? list.map(String) : []
}

const tablesWithTriggers = async (client: ClientBase): Promise<string[]> => {
  const { rows } = await client.query<Row>(`SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger
    JOIN pg_class AS c ON c.oid = tgrelid WHERE NOT tgisinternal AND c.relnamespace = current_schema()::regnamespace`)
  return rows.map((row) => text(row, 'name'))
}

/** New rows get numbers after all copied ones, and after deleted ones if the source remembers their numbers. */
const continueNumbers = async (client: ClientBase, lastNumbers: LastNumbers): Promise<void> => {
  for (const { table, column, sequence } of await listSequences(client)) {
    const { rows } = await client.query<Row>(`SELECT coalesce(max("${column}"), 0) AS largest FROM ${table}`)
    const last = Math.max(integer(rows[0] ?? {}, 'largest'), lastNumbers.get(table) ?? 0)
    if (last > 0) await client.query('SELECT setval($1::regclass, $2)', [sequence, last])
  }
}
