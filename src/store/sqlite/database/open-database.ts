import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { failureReason } from '../../failure-reason.ts'
import { migrations } from '../../migrations/migrations.ts'
import { refuseMoved } from '../../move/refuse-moved.ts'
import { createPrivateFile } from '../../private-file.ts'
import { StoreFailure } from '../../store-failure.ts'
import { type Migrated, migrate } from '../migrate.ts'
import { adviceAgainstDamage, Damage, isDamage } from './damage.ts'
import { readMoveMark } from './move-mark.ts'

export type DatabaseOptions = {
  file: string
  backupDirectory: string
  /** Milliseconds since 1970. */
  now: number
  /** How long a write waits for another process, such as an operator's `sqlite3` on the same file. */
  busyTimeoutMs?: number
  /** See `commit-sync.ts`. */
  ledgerSyncDelayMs?: number
}

const defaultBusyTimeoutMs = 5_000

/** Up to this size every start reads the whole file, in less than a second. Damage in a larger one shows when it is met. */
const checkedAtStartBytes = 268_435_456

/**
 * In WAL mode `synchronous = NORMAL` survives a crash of the process but may lose the last commits with the power. A
 * resolved write must outlast both, so commits are synced: FULL, except for those that `commit-sync.ts` names. On macOS only
 * `fullfsync` reaches the disk itself.
 * `secure_delete` overwrites what is deleted, so that a text that had its time is gone from the file as well; it costs a
 * request nothing that could be measured, since its pages are written anyway.
 */
const settings = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  PRAGMA foreign_keys = ON;
  PRAGMA secure_delete = ON;
`

/**
 * SQLite copies the write-ahead log (WAL) into the database file as part of a commit once it has so many pages. A thread of its
 * own does so long before, see `wal-checkpoints.ts`: this bounds the log where that thread cannot keep up.
 */
const maxLogPages = 4_000

export const openDatabase = (
  options: DatabaseOptions,
  onMigrated: (migrated: Migrated) => void = () => {},
): DatabaseSync =>
  open(options, (db, migrated) => {
    refuseMoved(readMoveMark(db))
    db.exec(`PRAGMA wal_autocheckpoint = ${maxLogPages}`)
    if (migrated !== null) onMigrated(migrated)
  })

/** For a connection that does nothing but copy the write-ahead log into the database file. It never waits for another one. */
export const openForCheckpoints = (file: string): DatabaseSync => {
  const db = new DatabaseSync(file, { timeout: 0 })
  db.exec(settings)
  return db
}

/** For a copy of a store while it is filled: its foreign keys are checked at the end, and it is synced then. */
export const openUnfinished = (options: DatabaseOptions): DatabaseSync =>
  open(options, (db) => db.exec('PRAGMA foreign_keys = OFF; PRAGMA synchronous = NORMAL'))

const open = (
  options: DatabaseOptions,
  finish: (db: DatabaseSync, migrated: Migrated | null) => void,
): DatabaseSync => {
  const { file, backupDirectory, now, busyTimeoutMs = defaultBusyTimeoutMs } = options
  let db: DatabaseSync | undefined
  try {
    createPrivateFile(file)
    db = new DatabaseSync(file, { timeout: busyTimeoutMs })
    db.exec(settings)
    checkWhole(db, file)
    finish(db, migrate(db, { migrations, backupDirectory, now }))
    return db
  } catch (error) {
    db?.close()
    const reason = `Cannot open ${file}: ${failureReason(error)}`
    if (isDamage(error)) throw new Damage(`${reason}. ${adviceAgainstDamage(options)}`, { cause: error })
    throw new StoreFailure(reason, { cause: error })
  }
}

/** For a connection that only reads, of a database that is open for writing. */
export const openForSearches = ({ file, busyTimeoutMs = defaultBusyTimeoutMs }: DatabaseOptions): DatabaseSync => {
  try {
    return new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs })
  } catch (error) {
    throw new StoreFailure(`Cannot open ${file}: ${failureReason(error)}`, { cause: error })
  }
}

const checkWhole = (db: DatabaseSync, file: string): void => {
  if (statSync(file).size > checkedAtStartBytes) return
  const finding = db.prepare('PRAGMA quick_check(1)').get()?.quick_check
  if (finding !== 'ok') throw new Damage(`it is damaged (${String(finding).replace(/\s+/g, ' ')})`)
}
