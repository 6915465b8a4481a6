/**
 * The embedded store: SQLite on threads of its own, in one file of the data directory. It may import `config` and
 * `base`; nothing outside `store/` may import a database driver. It keeps what `contract.ts` promises.
 */
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Store } from '../contract.ts'
import type { DataDirectory } from '../data-directory.ts'
import { createRecords } from '../records/records.ts'
import { type OnStoreCall, timedCalls } from '../records/timed-calls.ts'
import { openBackgroundTasks } from './background/background-tasks.ts'
import type { Migrated } from './migrate.ts'
import { StoreThreads } from './thread/store-threads.ts'

export type SqliteStore = Store & {
  /** How many transactions were committed; far fewer than writes when many come at once. */
  commits(): number
}

type OpenOptions = {
  /** Locked by this process while the store is open: two writers of one file would not know of each other. */
  directory: DataDirectory
  clock: Clock
  /** See `commit-sync.ts`. */
  ledgerSyncDelayMs?: number | undefined
  /** The schema was brought up to date. */
  onMigrated?: ((migrated: Migrated) => void) | undefined
  onCall?: OnStoreCall | undefined
}

export const openSqliteStore = async ({
  directory,
  clock,
  ledgerSyncDelayMs = 0,
  onMigrated,
  onCall,
}: OpenOptions): Promise<SqliteStore> => {
  const now = clock.now()
  const file = join(directory.path, 'helix.db')
  const backupDirectory = join(directory.path, 'backups')
  const thread = await StoreThreads.open({ file, backupDirectory, now, ledgerSyncDelayMs })
  try {
    await thread.call('ensureFirstOrganisation', { id: newId('org'), name: 'Default', createdAt: now })
  } catch (error) {
    await thread.close()
    throw error
  }
  if (thread.migrated !== null) onMigrated?.(thread.migrated)
  const background = openBackgroundTasks(file)
  return {
    ...createRecords(timedCalls(thread, clock, onCall), () => background.verifyUsage()),
    nodes: null,
    claims: null,
    secret: null,
    failed: thread.failed,
    ping: () => thread.call('recordWriteCheck', clock.now()),
    time: async () => null,
    backUp: (target, items) => background.backUp(target, items),
    async close() {
      await Promise.all([thread.close(), background.close()])
    },
    commits: () => thread.commits,
  }
}
