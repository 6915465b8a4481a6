import { systemClock } from '../base/clock.ts'
import { databaseName } from '../store/postgres/connection-options.ts'
import type { Command } from './command.ts'
import { findServer } from './control-access.ts'
import { lockWaitMs } from './lock-wait.ts'

/** A start migrates as well; this is for deployments that do it beforehand, and once for all nodes. */
export const migrate: Command = {
  name: 'migrate',
  summary: 'Create the tables of the database, or bring them up to date, and exit.',
  options: {},
  note: 'With PostgreSQL and HELIX_REDIS, nodes can keep running.',
  async run({ config, terminal }) {
    if (config.store === null && (await findServer(config)) !== null) {
      terminal.out('The running server has brought the database up to date when it started.\n')
      return 0
    }
    const { lockDataDirectory } = await import('../store/data-directory.ts')
    const { openStore } = await import('../store/open-store.ts')
    const directory = await lockDataDirectory(config.dataDir, { clock: systemClock, waitMs: lockWaitMs })
    try {
      const store = await openStore({ config, directory, clock: systemClock })
      await store.close()
    } finally {
      directory.release()
    }
    const database = config.store === null ? directory.path : databaseName(config.store)
    terminal.out(`The database of ${database} is up to date.\n`)
    return 0
  },
}
