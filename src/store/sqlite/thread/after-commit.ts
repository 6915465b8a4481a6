import type { DatabaseSync } from 'node:sqlite'

const waiting = new WeakSet<DatabaseSync>()

/**
 * Long texts were deleted. The file itself is overwritten by `secure_delete`, but the log of writes (WAL) still holds them
 * until it is used anew: once the transaction is over, it is emptied.
 */
export const emptyLogAfterCommit = (db: DatabaseSync): void => {
  waiting.add(db)
}

/** To be called where no transaction is open. While somebody reads, as a backup does, it is left for the next time. */
export const doAfterCommit = (db: DatabaseSync): void => {
  if (!waiting.delete(db)) return
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
}
