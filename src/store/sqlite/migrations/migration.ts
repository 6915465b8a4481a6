/** A step from one version of the schema to the next. Once released it is never edited: a correction is a new one. */
export type Migration = {
  /** The version the database has afterwards. */
  readonly id: number
  readonly name: string
  readonly sql: string
}
