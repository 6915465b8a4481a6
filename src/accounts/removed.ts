/** Something that is gone for good. Where both ids are there, it is one account's membership of one organisation. */
export type Removed = {
  /** Keys that ended with it. */
  keyIds: readonly string[]
  accountId: string | null
  organisationId: string | null
}
