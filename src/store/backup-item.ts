/** What a backup contains beside the database: a row of its table `backup_items`. */
export type BackupItem = {
  /** A file name. */
  name: string
  content: string
  /** Encrypted with a passphrase. */
  isSealed: boolean
}

/** Only backups have it: a restored database does not. */
export const backupTable = 'backup_items'
