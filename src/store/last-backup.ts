import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const markerPath = (dataDir: string): string => join(dataDir, 'last-backup')

/** Records when the data was last backed up. Failing to record it does not fail the backup. */
export const recordBackup = async (dataDir: string, now: number): Promise<void> => {
  await writeFile(markerPath(dataDir), new Date(now).toISOString(), { mode: 0o600 }).catch(() => {})
}

/** Null if no backup is known. */
export const lastBackupAt = async (dataDir: string): Promise<number | null> => {
  const at = Date.parse(await readFile(markerPath(dataDir), 'utf8').catch(() => ''))
  return Number.isNaN(at) ? null : at
}
