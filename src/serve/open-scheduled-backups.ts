import { readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createBackupItems } from '../accounts/secrets/backup-items.ts'
import type { Clock } from '../base/clock.ts'
import { errorText, type Log } from '../base/log.ts'
import { OperatorError } from '../base/operator-error.ts'
import { openPeriodicTask } from '../base/periodic-task.ts'
import type { Config } from '../config/settings.ts'
import type { Store } from '../store/contract.ts'
import { recordBackup } from '../store/last-backup.ts'
import type { Closers } from './closers.ts'

type BackupsDependencies = { config: Config; store: Pick<Store, 'backUp'>; clock: Clock; log: Log; closers: Closers }

const lookEveryMs = 60_000
const hourMs = 3_600_000
const namePattern = /^helix-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.db$/

/** Writes a backup whenever the last one in the folder is old enough, and removes the oldest ones. */
export const openScheduledBackups = ({ config, store, clock, log, closers }: BackupsDependencies): void => {
  const { backupDir, backupIntervalHours, backupsKept } = config
  if (backupDir === null) return
  if (config.store !== null) throw new OperatorError('HELIX_BACKUP_DIR is for SQLite: back up PostgreSQL with pg_dump')
  const folder = resolve(backupDir)
  const pass = async (): Promise<void> => {
    try {
      const known = await listBackups(folder)
      const last = known.at(-1)
      if (last !== undefined && clock.now() - last.at < backupIntervalHours * hourMs) return
      const file = join(folder, `helix-${new Date(clock.now()).toISOString().replace(/[:.]/g, '-')}.db`)
      await store.backUp(file, await createBackupItems(config))
      await recordBackup(config.dataDir, clock.now())
      const { size } = await stat(file)
      const old = known.slice(0, Math.max(0, known.length + 1 - backupsKept))
      for (const { name } of old) await rm(join(folder, name), { force: true })
      log.info('backup_written', { file, bytes: size, removed: old.length })
    } catch (error) {
      log.error('backup_not_written', { folder, cause: errorText(error) })
    }
  }
  const writing = openPeriodicTask(pass, clock, lookEveryMs)
  closers.add(() => writing.close())
}

/** Only files of ours, oldest first. The time is in the name: copying a file changes its own. */
const listBackups = async (folder: string): Promise<{ name: string; at: number }[]> => {
  const names = (await readdir(folder)).filter((name) => namePattern.test(name)).sort()
  return names.map((name) => {
    const [, day = '', hours, minutes, seconds, ms] = /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z/.exec(name) ?? []
    return { name, at: Date.parse(`${day}T${hours}:${minutes}:${seconds}.${ms}Z`) }
  })
}
