import type { DatabaseSync } from 'node:sqlite'

const waiting = new WeakSet<DatabaseSync>()

/**
 * Long texts were deleted. `secure_delete` overwrites them in the database file, but the write-ahead log (WAL) still
 * contains them until it is reused: it is truncated after the transaction.
 */
export const emptyLogAfterCommit = (db: DatabaseSync): void => {
  waiting.add(db)
}

/**
 * Call it while no transaction is open. While there is a reader, such as a backup, or another checkpoint, it is postponed:
 * returns whether it must be called again.
 */
export const doAfterCommit = (db: DatabaseSync): boolean => {
  if (!waiting.delete(db)) return false
  const timeout = db.prepare('PRAGMA busy_timeout').get()?.timeout
  db.exec('PRAGMA busy_timeout = 0')
  try {
    const outcome = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
    if (outcome?.busy === 1) waiting.add(db)
  } catch {
    // The log is emptied at the next occasion, at the latest when the database is closed.
    waiting.add(db)
  } finally {
    db.exec(`PRAGMA busy_timeout = ${Number(timeout)}`)
  }
  return waiting.has(db)
}
