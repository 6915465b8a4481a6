import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { StorePlace } from './open-store-reader.ts'

/** Nothing can be written to the ledger of the server until `unlock`. */
export const lockWrites = async ({ dataDir, storeUrl = null }: StorePlace): Promise<{ unlock(): Promise<void> }> => {
  if (storeUrl !== null) return lockTables(storeUrl)
  const db = new DatabaseSync(join(dataDir, 'helix.db'), { timeout: 5_000 })
  db.exec('BEGIN IMMEDIATE')
  return {
    async unlock() {
      db.exec('ROLLBACK')
      db.close()
    },
  }
}

const lockTables = async (url: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('BEGIN')
  await client.query('LOCK TABLE ledger_reservations, ledger_settlements IN EXCLUSIVE MODE')
  return { unlock: () => client.end() }
}
