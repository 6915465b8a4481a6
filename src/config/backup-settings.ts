import { integer, path, type Setting, text } from './setting.ts'

/** Backups on a schedule. */
export const backupSettings = {
  backupDir: path({
    default: null,
    text: 'Folder in which the server writes a backup of its SQLite database on a schedule; see docs/operate/backup.md.',
  }),
  backupIntervalHours: integer({
    default: 24,
    min: 1,
    max: 8760,
    text: 'Hours from one backup in `backupDir` to the next.',
  }),
  backupsKept: integer({
    default: 7,
    min: 1,
    max: 10_000,
    text: 'Number of backups kept in `backupDir`. Older ones are deleted when a new one is complete.',
  }),
  backupPassphrase: text({
    default: null,
    secret: true,
    text: 'Passphrase that encrypts the secret key and the settings in backups. Without it, backups do not contain them.',
  }),
} satisfies Record<string, Setting<unknown>>
