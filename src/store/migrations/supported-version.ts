import { StoreFailure } from '../store-failure.ts'
import type { Migration } from './migration.ts'

/** Which programs can use the database after a migration: those that know at least this version of the schema. */
export type SupportRow = { id: number; readableSince: number }

/** Every migration that was applied has a row here, unless only programs that know it can use the database. */
export const supportTable = 'schema_support'

export const supportRow = ({ id, readableSince }: Pick<Migration, 'id' | 'readableSince'>): SupportRow => ({
  id,
  readableSince: readableSince ?? id,
})

/**
 * Throws if the database has migrations that this program does not know, unless each of them says that programs of its version
 * can go on: then the previous release can still be started after an upgrade (decision 78).
 */
export const requireSupported = (version: number, newest: number, support: readonly SupportRow[]): void => {
  if (version <= newest) return
  const unknown = Array.from({ length: version - newest }, (_, index) => newest + 1 + index)
  const isReadable = (id: number): boolean => support.some((row) => row.id === id && row.readableSince <= newest)
  // A version far beyond would be a long list, and is no upgrade of one release.
  if (unknown.length <= maxUnknown && unknown.every(isReadable)) return
  throw new StoreFailure(
    `The database is at version ${version}, but this program supports only versions up to ${newest}: run a newer version of Helix.`,
  )
}

const maxUnknown = 100
