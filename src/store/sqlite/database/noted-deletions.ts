import type { DatabaseSync } from 'node:sqlite'

const noted = new WeakMap<DatabaseSync, number>()

/** Text was deleted or overwritten: whatever else the files contain of it is erased after the transaction. */
export const noteDeletedText = (db: DatabaseSync): void => {
  noted.set(db, notedDeletions(db) + 1)
}

/** How often that was noted so far. */
export const notedDeletions = (db: DatabaseSync): number => noted.get(db) ?? 0
