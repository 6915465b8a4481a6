import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { StorePlace } from './open-store-reader.ts'
import { execSql } from './postgres/scratch-database.ts'

/** Changes the data behind the store's back. The server may be running. */
export const changeDatabase = async ({ dataDir, storeUrl = null }: StorePlace, sql: string): Promise<void> => {
  if (storeUrl !== null) return execSql(storeUrl, sql)
  using db = new DatabaseSync(join(dataDir, 'helix.db'), { timeout: 5_000 })
  db.exec(sql)
}
