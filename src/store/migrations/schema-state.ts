import { migrations } from './migrations.ts'
import { requireSupported, type SupportRow } from './supported-version.ts'

/** The schema of a database, as it is. */
export type SchemaState = {
  /** 0: it has none yet. */
  version: number
  support: readonly SupportRow[]
  /** For a backup before the migration; null where Helix makes none. */
  disk: { neededBytes: number; freeBytes: number } | null
}

type Upgrade = {
  from: number
  to: number
  /** Those that this version will apply, oldest first. */
  due: { id: number; name: string }[]
  /** The program that uses the database now can still use it afterwards. */
  canGoBack: boolean
}

/** What this version will do to the schema. Throws if the database is too new for it. */
export const planUpgrade = ({ version, support }: SchemaState): Upgrade => {
  const to = migrations.at(-1)?.id ?? 0
  requireSupported(version, to, support)
  const due = migrations.filter(({ id }) => id > version)
  return {
    from: version,
    to: Math.max(to, version),
    due: due.map(({ id, name }) => ({ id, name })),
    canGoBack: due.every(({ id, readableSince = id }) => readableSince <= version),
  }
}
