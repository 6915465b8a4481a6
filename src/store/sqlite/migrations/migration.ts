/** A step from one version of the schema to the next. Once released it is never edited: a correction is a new one. */
export type Migration = {
  /** The version the database has afterwards. */
  readonly id: number
  readonly name: string
  readonly sql: string
}

/** The same step for both databases. `sql` is for SQLite. */
export type SharedMigration = Migration & { readonly postgres: string }
