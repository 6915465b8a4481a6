import { backupMaxAgeMs } from '../config/backup-max-age.ts'
import type { Config } from '../config/settings.ts'
import { lastBackupAt } from '../store/last-backup.ts'
import type { Finding } from './self-checks.ts'

const hourMs = 3_600_000

export const checkBackup = async (
  config: Pick<Config, 'store' | 'backupDir' | 'backupIntervalHours'>,
  directory: string,
  now: number,
): Promise<Finding> => {
  if (config.store !== null) return { state: 'ok', detail: 'not known: PostgreSQL is backed up with its own tools' }
  const at = await lastBackupAt(directory)
  if (at === null) return { state: 'warning', detail: "none is known; run 'helix backup FILE' or set HELIX_BACKUP_DIR" }
  const hours = (now - at) / hourMs
  const detail = `the last one is ${describeAge(hours)} old`
  const isOld = now - at > backupMaxAgeMs(config)
  return isOld
    ? { state: 'warning', detail: `${detail}; look for backup_not_written in the log` }
    : { state: 'ok', detail }
}

const describeAge = (hours: number): string =>
  hours < 48 ? `${Math.max(0, Math.floor(hours))} hours` : `${Math.floor(hours / 24)} days`
