import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { dayOf } from '../../base/calendar.ts'
import type { Clock } from '../../base/clock.ts'
import { type DataDirectory, DataDirectoryBusy, lockDataDirectory } from '../data-directory.ts'
import { writeMoveMark } from '../sqlite/database/move-mark.ts'
import { openSqliteStore } from '../sqlite/open-sqlite-store.ts'
import { StoreFailure } from '../store-failure.ts'
import type { MoveSource } from './move-store.ts'
import { openSqliteTables } from './sqlite-tables.ts'

type SourceOptions = { dataDir: string; timeZone: string; clock: Clock }

/** The database of a data directory. Its lock makes sure that no server uses it. */
export const openSqliteSource = ({ dataDir, timeZone, clock }: SourceOptions): MoveSource => {
  const path = resolve(dataDir)
  const file = join(path, 'helix.db')
  if (!existsSync(file)) throw new StoreFailure(`No database found in ${path}; check --data-dir`)
  const tables = openSqliteTables(file, path)
  return {
    tables,
    async lock(waitMs) {
      const directory = await tryLock(path, clock, waitMs)
      return (
        directory && {
          async settle() {
            const store = await openSqliteStore({ directory, clock })
            try {
              await store.ledger.recover(clock.now(), dayOf(clock.now(), timeZone))
            } finally {
              await store.close()
            }
          },
          async markMoved(mark) {
            writeMark(file, mark)
          },
          release: async () => directory.release(),
        }
      )
    },
    close: () => tables.close(),
  }
}

const tryLock = async (path: string, clock: Clock, waitMs: number): Promise<DataDirectory | null> => {
  try {
    return await lockDataDirectory(path, { clock, waitMs })
  } catch (error) {
    if (error instanceof DataDirectoryBusy) return null
    throw error
  }
}

/** Lets a server use a database again that was moved. */
export const reopenSqlite = async (dataDir: string, clock: Clock): Promise<void> => {
  const path = resolve(dataDir)
  const file = join(path, 'helix.db')
  if (!existsSync(file)) throw new StoreFailure(`No database found in ${path}; check --data-dir`)
  const directory = await lockDataDirectory(path, { clock, waitMs: 0 })
  try {
    writeMark(file, null)
  } finally {
    directory.release()
  }
}

const writeMark = (file: string, mark: Parameters<typeof writeMoveMark>[1]): void => {
  const db = new DatabaseSync(file, { timeout: 5_000 })
  try {
    db.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON')
    writeMoveMark(db, mark)
  } finally {
    db.close()
  }
}
