import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { failureReason } from '../../failure-reason.ts'
import type { SchemaState } from '../../migrations/schema-state.ts'
import { StoreFailure } from '../../store-failure.ts'
import { listSupport, schemaVersion } from '../migrate.ts'
import { backupBytes, freeBytes, migrationBytes } from './back-up.ts'

/** What a migration has to know about the database. It changes nothing; a server may be running. Null: there is none yet. */
export const examineSqlite = (file: string): SchemaState | null => {
  if (!existsSync(file)) return null
  try {
    using db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
    const disk = { neededBytes: migrationBytes(backupBytes(db)), freeBytes: freeBytes(dirname(file)) }
    return { version: schemaVersion(db), support: listSupport(db), disk }
  } catch (error) {
    throw new StoreFailure(`Cannot open ${file}: ${failureReason(error)}`, { cause: error })
  }
}
