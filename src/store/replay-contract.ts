/** A stored answer: the events of a stream, or one document. */
export type ReplayRecord = {
  organisationId: string
  /** SHA-256 of the idempotency key. */
  keyHash: Uint8Array
  /** SHA-256 of the request body. */
  bodyHash: Uint8Array
  completionId: string
  requestId: string
  stream: boolean
  /** For a stream, the data of each event, one per line, without `[DONE]`; otherwise the JSON document. */
  content: string
  createdAt: number
  expiresAt: number
}

export interface ReplayRecords {
  /** Whether `find` would find one, without reading it. */
  has(organisationId: string, keyHash: Uint8Array, now: number): Promise<boolean>
  find(organisationId: string, keyHash: Uint8Array, now: number): Promise<ReplayRecord | null>
  /** Permanently removes a few that have expired; returns how many. 0: none is left. */
  removeExpired(now: number): Promise<number>
  /** Stored bytes by organisation. */
  bytes(): Promise<ReadonlyMap<string, number>>
}
