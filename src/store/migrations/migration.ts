/**
 * A step from one version of the schema to the next, for each database; just a comment if one of them needs nothing.
 * Once released it is never edited: a correction is a new one. `docs/schema/` shows the resulting schema.
 *
 * PostgreSQL is supported since version 15. It runs the steps up to there as a single one, the baseline, so its tables
 * have all columns of version 15 where they are created, and steps that only add columns have nothing left to do.
 */
export type Migration = {
  /** The version the database has afterwards. */
  readonly id: number
  readonly name: string
  readonly sqlite: string
  readonly postgres: string
  /**
   * The oldest version of the schema whose programs can use the database afterwards; absent: only programs that know this
   * migration. One that only adds tables, and columns that are null or have a default, names the version of the last release.
   */
  readonly readableSince?: number
}

export type SqliteMigration = Omit<Migration, 'postgres'>
export type PostgresMigration = Omit<Migration, 'sqlite'>
