import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StoreFailure } from '../../store-failure.ts'

type Place = { file: string; backupDirectory: string }

const sqliteCorrupt = 11
const sqliteNotADatabase = 26

/** Nothing that is asked of such a database can be trusted any more. */
export class Damage extends StoreFailure {
  override readonly name = 'Damage'
}

/** Extended codes carry the plain one in their last byte. */
export const isDamage = (error: unknown): boolean => {
  if (error instanceof Damage) return true
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return false
  const code = error.errcode & 255
  return code === sqliteCorrupt || code === sqliteNotADatabase
}

/** What to do about it, in one line that can be followed literally. */
export const adviceAgainstDamage = ({ file, backupDirectory }: Place): string => {
  const directory = dirname(file)
  const newest = newestBackup(backupDirectory)
  if (newest === null)
    return `No backup found in ${backupDirectory}. If you have a backup created by 'helix backup', move ${directory} away and run 'helix restore FILE'.`
  const damagedDirectory = `${directory}.damaged`
  const moved = join(damagedDirectory, newest.slice(directory.length))
  return `The newest backup is ${newest}: run 'mv ${directory} ${damagedDirectory}' and then 'helix restore ${moved}'.`
}

const newestBackup = (directory: string): string | null => {
  const backups = namesIn(directory)
    .filter((name) => name.endsWith('.db'))
    .map((name) => join(directory, name))
    .map((file) => ({ file, writtenAt: statSync(file).mtimeMs }))
  return backups.sort((one, two) => two.writtenAt - one.writtenAt)[0]?.file ?? null
}

const namesIn = (directory: string): string[] => {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
