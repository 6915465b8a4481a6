import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createBackupItems } from '../accounts/secrets/backup-items.ts'
import { systemClock } from '../base/clock.ts'
import { OperatorError } from '../base/operator-error.ts'
import type { Config } from '../config/settings.ts'
import { lockDataDirectory } from '../store/data-directory.ts'
import { recordBackup } from '../store/last-backup.ts'
import { openBackgroundTasks } from '../store/sqlite/background/background-tasks.ts'
import { type Command, UsageError } from './command.ts'
import { findServer, throughServer } from './control-access.ts'
import { lockWaitMs } from './lock-wait.ts'

export const backup: Command = {
  name: 'backup',
  summary: 'Back up all data to one file, without stopping the server.',
  positionals: 'FILE',
  options: {},
  note: "The file must not exist yet. With HELIX_BACKUP_PASSPHRASE it also contains the secret key and the settings, encrypted. To restore it, run 'helix restore FILE'.",
  async run({ config, positionals, terminal }) {
    const [name] = positionals
    if (name === undefined || positionals.length > 1) throw new UsageError("'helix backup' requires one FILE to write")
    if (config.store !== null)
      throw new OperatorError("The data is in PostgreSQL, which 'helix backup' does not copy: use pg_dump")
    const file = resolve(name)
    const server = await findServer(config)
    if (server === null) await copyUnused(config, file)
    else await throughServer(server).writeBackup({ body: { file } })
    terminal.out(`Wrote ${file}.\n`)
    return 0
  },
}

/** Copies the database without migrating it. */
const copyUnused = async (config: Config, target: string): Promise<void> => {
  const file = join(resolve(config.dataDir), 'helix.db')
  if (!existsSync(file)) throw new OperatorError(`No database found in ${resolve(config.dataDir)}; check --data-dir`)
  const directory = await lockDataDirectory(config.dataDir, { clock: systemClock, waitMs: lockWaitMs })
  try {
    await openBackgroundTasks(file).backUp(target, await createBackupItems(config))
    await recordBackup(resolve(config.dataDir), systemClock.now())
  } finally {
    directory.release()
  }
}
