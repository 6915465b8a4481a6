/** Answers of the cache: each belongs to one organisation and is found by the hash of the canonical request. */

export type CachedRecord = {
  organisationId: string
  /** SHA-256 of the canonical request. */
  keyHash: Uint8Array
  /** The request that it was generated for. */
  requestId: string
  /** SHA-256 of `facts` and `content`. */
  checksum: Uint8Array
  /** JSON: the id of the answer, its counts and how it ended. */
  facts: string
  /** As in a `ReplayRecord`. */
  content: string
  createdAt: number
  expiresAt: number
}

export interface CacheRecords {
  /** Null if there is none that has not expired. */
  find(organisationId: string, keyHash: Uint8Array, now: number): Promise<CachedRecord | null>
  /** One that has not expired stays. Nothing is stored for an organisation that was deleted. */
  insert(record: CachedRecord): Promise<void>
  remove(organisationId: string, keyHash: Uint8Array): Promise<void>
  /** Permanently removes a few that have expired; returns how many. 0: none is left. */
  removeExpired(now: number): Promise<number>
  /** Permanently removes a few of the organisation's oldest; returns how many. */
  removeOldest(organisationId: string): Promise<number>
  /** Stored bytes by organisation. */
  bytes(): Promise<ReadonlyMap<string, number>>
}
