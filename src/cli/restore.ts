import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openBackupItem, settingsItem } from '../accounts/secrets/backup-items.ts'
import { systemClock } from '../base/clock.ts'
import { OperatorError } from '../base/operator-error.ts'
import type { BackupItem } from '../store/backup-item.ts'
import { lockDataDirectory } from '../store/data-directory.ts'
import { type Command, type Terminal, UsageError } from './command.ts'

export const restore: Command = {
  name: 'restore',
  summary: 'Restore a backup to an empty data directory.',
  positionals: 'FILE',
  options: { check: { type: 'boolean', text: 'Only check the file and say what it contains.' } },
  note: 'The data directory must be empty or not exist. Existing data is never overwritten. HELIX_BACKUP_PASSPHRASE is the one that the backup was written with.',
  async run({ config, options, positionals, terminal }) {
    const [name] = positionals
    if (name === undefined || positionals.length > 1)
      throw new UsageError("'helix restore' requires one FILE created by 'helix backup'")
    if (config.store !== null)
      throw new OperatorError('The data is in PostgreSQL: restore a dump of pg_dump with pg_restore')
    const { checkRestore, readBackup, restoreDatabase } = await import('../store/sqlite/database/restore-database.ts')
    const file = resolve(name)
    const { version, items } = readBackup(file)
    const files = openItems(items, config.backupPassphrase, file)
    const isSealed = files.length < items.length
    if (options.check === true) {
      describe({ file, version, files, isSealed }, terminal)
      return 0
    }
    checkRestore(file, resolve(config.dataDir))
    const directory = await lockDataDirectory(config.dataDir, { clock: systemClock, waitMs: 0 })
    try {
      restoreDatabase(file, directory)
      for (const each of files)
        writeFileSync(join(directory.path, each.name), each.content, { mode: 0o600, flag: 'wx' })
    } finally {
      directory.release()
    }
    terminal.out(`Restored ${file} to ${directory.path}.\n`)
    if (files.some((each) => each.name === settingsItem))
      terminal.out(
        `The settings are in ${join(directory.path, settingsItem)}: use them with --config, or set them anew.\n`,
      )
    if (isSealed) terminal.out(withoutSecrets)
    return 0
  },
}

type RestoredFile = { name: string; content: string }

const withoutSecrets =
  'The secret key and the settings in the backup are encrypted, and HELIX_BACKUP_PASSPHRASE is not set: they are left out.\n'

/** Before anything is written, so that a wrong passphrase leaves no trace. */
const openItems = (items: readonly BackupItem[], passphrase: string | null, file: string): RestoredFile[] =>
  items.flatMap((item) => {
    if (!/^[\w-][\w.-]*$/.test(item.name))
      throw new OperatorError(`Cannot restore ${file}: it contains a file with an odd name`)
    if (!item.isSealed) return [{ name: item.name, content: item.content }]
    if (passphrase === null) return []
    const content = openBackupItem(item, passphrase)
    if (content === null)
      throw new OperatorError(`Cannot restore ${file}: HELIX_BACKUP_PASSPHRASE is not the one that it was written with`)
    return [{ name: item.name, content }]
  })

type Description = { file: string; version: number; files: readonly RestoredFile[]; isSealed: boolean }

const describe = ({ file, version, files, isSealed }: Description, { out }: Terminal): void => {
  out(`${file} is whole and can be restored.\n`)
  out(`It contains a database at version ${version}${files.map(({ name }) => `, ${name}`).join('')}.\n`)
  if (isSealed) out(withoutSecrets)
}
