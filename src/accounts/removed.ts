/** A deleted account or organisation; with both ids, one account's membership of one organisation. */
export type Removed = {
  /** Keys that were revoked with it. */
  keyIds: readonly string[]
  accountId: string | null
  organisationId: string | null
}
