import type { Config } from './settings.ts'

const hourMs = 3_600_000
/** Without a schedule, which would say how often. */
const usualHours = 7 * 24

/** From this age on the last backup is old. */
export const backupMaxAgeMs = ({
  backupDir,
  backupIntervalHours,
}: Pick<Config, 'backupDir' | 'backupIntervalHours'>): number =>
  (backupDir === null ? usualHours : 2 * backupIntervalHours) * hourMs
