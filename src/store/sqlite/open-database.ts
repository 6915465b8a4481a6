import { DatabaseSync } from 'node:sqlite'
import { createPrivateFile } from '../private-file.ts'
import { StoreFailure } from '../store-failure.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/migrations.ts'

export type DatabaseOptions = {
  file: string
  backupDirectory: string
  /** Milliseconds since 1970. */
  now: number
}

/** How long a write waits for somebody else's, such as an operator's `sqlite3` on the same file. */
const busyTimeoutMs = 5_000

/**
 * In WAL mode `synchronous = NORMAL` survives a crash of the process but may lose the last commits with the power. A
 * resolved write must outlast both, so every commit is synced: FULL. On macOS only `fullfsync` reaches the disk itself.
 */
const settings = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  PRAGMA foreign_keys = ON;
`

export const openDatabase = ({ file, backupDirectory, now }: DatabaseOptions): DatabaseSync => {
  let db: DatabaseSync | undefined
  try {
    createPrivateFile(file)
    db = new DatabaseSync(file, { timeout: busyTimeoutMs })
    db.exec(settings)
    migrate(db, { migrations, backupDirectory, now })
    return db
  } catch (error) {
    db?.close()
    const reason = error instanceof Error ? error.message : String(error)
    throw new StoreFailure(`Cannot open ${file}: ${reason}`, { cause: error })
  }
}
