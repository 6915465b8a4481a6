import { resolve } from 'node:path'
import { systemClock } from '../base/clock.ts'
import { OperatorError } from '../base/operator-error.ts'
import { lockDataDirectory } from '../store/data-directory.ts'
import { type Command, UsageError } from './command.ts'

export const restore: Command = {
  name: 'restore',
  summary: 'Restore a backup to an empty data directory.',
  positionals: 'FILE',
  options: {},
  note: 'The data directory must be empty or not exist. Existing data is never overwritten.',
  async run({ config, positionals, terminal }) {
    const [name] = positionals
    if (name === undefined || positionals.length > 1)
      throw new UsageError("'helix restore' requires one FILE created by 'helix backup'")
    if (config.store !== null)
      throw new OperatorError('The data is in PostgreSQL: restore a dump of pg_dump with pg_restore')
    const { checkRestore, restoreDatabase } = await import('../store/sqlite/database/restore-database.ts')
    const file = resolve(name)
    checkRestore(file, resolve(config.dataDir))
    const directory = await lockDataDirectory(config.dataDir, { clock: systemClock, waitMs: 0 })
    try {
      restoreDatabase(file, directory)
    } finally {
      directory.release()
    }
    terminal.out(`Restored ${file} to ${directory.path}.\n`)
    return 0
  },
}
