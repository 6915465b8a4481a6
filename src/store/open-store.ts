import type { Clock } from '../base/clock.ts'
import type { Config } from '../config/settings.ts'
import type { Store } from './contract.ts'
import type { DataDirectory } from './data-directory.ts'
import type { OnStoreCall } from './records/timed-calls.ts'
import type { Migrated } from './sqlite/migrate.ts'
import { openSqliteStore } from './sqlite/open-sqlite-store.ts'

type OpenOptions = {
  config: Pick<Config, 'store' | 'storePoolSize' | 'storeTimeoutMs' | 'redis' | 'ledgerSyncDelayMs'>
  /** Locked by this process while the store is open. */
  directory: DataDirectory
  clock: Clock
  /** Others use the database too; by default if there is a Redis for all of them. */
  isShared?: boolean
  /** The schema of the database in the data directory was brought up to date. */
  onMigrated?: (migrated: Migrated) => void
  onCall?: OnStoreCall
}

/** The database of the data directory, or the PostgreSQL database of the settings. */
export const openStore = async ({
  config,
  directory,
  clock,
  isShared,
  onMigrated,
  onCall,
}: OpenOptions): Promise<Store> => {
  if (config.store === null)
    return openSqliteStore({ directory, clock, ledgerSyncDelayMs: config.ledgerSyncDelayMs, onMigrated, onCall })
  // Loaded only where it is used.
  const { openPostgresStore } = await import('./postgres/open-postgres-store.ts')
  const { store: url, storePoolSize: poolSize, storeTimeoutMs: statementTimeoutMs, redis } = config
  return openPostgresStore({ url, poolSize, statementTimeoutMs, clock, isShared: isShared ?? redis !== null, onCall })
}
