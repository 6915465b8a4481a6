import type { DatabaseSync } from 'node:sqlite'
import type { MoveMark } from '../../move/store-tables.ts'
import { integer, text, word } from '../../operations/row.ts'

/** Null in an ordinary store. The table exists only in copies that were moved, or are being filled. */
export const readMoveMark = (db: DatabaseSync): MoveMark | null => {
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'store_move'").get() === undefined) return null
  const row = db.prepare('SELECT state, place, store, at FROM store_move').get()
  if (row === undefined) return null
  const state = word(row, 'state', ['incoming', 'moved'])
  return { state, place: text(row, 'place'), store: text(row, 'store'), at: integer(row, 'at') }
}

export const writeMoveMark = (db: DatabaseSync, mark: MoveMark | null): void => {
  db.exec('BEGIN IMMEDIATE')
  db.exec('DROP TABLE IF EXISTS store_move')
  if (mark !== null) {
    db.exec(
      'CREATE TABLE store_move (state TEXT NOT NULL, place TEXT NOT NULL, store TEXT NOT NULL, at INTEGER NOT NULL) STRICT',
    )
    db.prepare('INSERT INTO store_move VALUES (?, ?, ?, ?)').run(mark.state, mark.place, mark.store, mark.at)
  }
  db.exec('COMMIT')
}
