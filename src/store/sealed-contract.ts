/** What is encrypted in the database, by where it is. */
export const sealedKinds = ['totp', 'upstream', 'webhook', 'webhook_previous', 'challenge', 'setting'] as const
export type SealedKind = (typeof sealedKinds)[number]

export type SealedRecord = {
  kind: SealedKind
  /** An account, the name of an upstream or of a setting, an endpoint of webhooks, or the hash of a challenge's token. */
  id: string | Uint8Array
  sealed: string
}

/** All that is encrypted with the secret key, for its rotation. */
export interface SealedRecords {
  /** Those after an id, or the first ones, in the order of their ids. */
  list(kind: SealedKind, after: SealedRecord['id'] | null, limit: number): Promise<SealedRecord[]>
  /** False if it has changed since it was read. */
  replace(record: SealedRecord, sealed: string): Promise<boolean>
}
