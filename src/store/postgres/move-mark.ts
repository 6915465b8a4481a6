import type { ClientBase } from 'pg'
import type { MoveMark } from '../move/store-tables.ts'
import { integer, type Row, text, word } from '../operations/row.ts'

/** Null in an ordinary store. The table exists only in copies that were moved, or are being filled. */
export const readMoveMark = async (client: ClientBase): Promise<MoveMark | null> => {
  const { rows: found } = await client.query<Row>("SELECT to_regclass('store_move') IS NOT NULL AS exists")
  if (found[0]?.exists !== 1) return null
  const { rows } = await client.query<Row>('SELECT state, place, store, at FROM store_move')
  const [row] = rows
  if (row === undefined) return null
  const state = word(row, 'state', ['incoming', 'moved'])
  return { state, place: text(row, 'place'), store: text(row, 'store'), at: integer(row, 'at') }
}

/** `suspended`: what has to be run before a server may use the database. */
export const writeMoveMark = async (client: ClientBase, mark: MoveMark, suspended = '[]'): Promise<void> => {
  await client.query(`CREATE TABLE IF NOT EXISTS store_move (id INTEGER PRIMARY KEY CHECK (id = 1),
    state TEXT NOT NULL, place TEXT NOT NULL, store TEXT NOT NULL, at BIGINT NOT NULL, suspended TEXT NOT NULL)`)
  await client.query(
    `INSERT INTO store_move VALUES (1, $1, $2, $3, $4, $5) ON CONFLICT (id) DO UPDATE SET state = excluded.state,
      place = excluded.place, store = excluded.store, at = excluded.at, suspended = excluded.suspended`,
    [mark.state, mark.place, mark.store, mark.at, suspended],
  )
}

export const removeMoveMark = async (client: ClientBase): Promise<void> => {
  await client.query('DROP TABLE IF EXISTS store_move')
}
