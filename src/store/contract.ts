/**
 * What the rest of the program sees of a database: records in, records out, always a promise. It imports nothing, and
 * promises that a resolved write survives a crash, and that calls take effect in the order in which they were made.
 * Times are milliseconds since 1970.
 */
export type OrganisationRecord = { id: string; name: string; createdAt: number }

export type KeyRecord = {
  id: string
  organisationId: string
  name: string
  /** How the secret begins and ends: enough to recognise it, useless for guessing it. */
  prefix: string
  lastFour: string
  createdAt: number
  expiresAt: number | null
  revokedAt: number | null
}

export type RevokeOutcome = 'revoked' | 'already_revoked' | 'not_found'

export interface KeyRecords {
  /** The hash is kept beside the record and never comes out again. */
  insert(record: KeyRecord, secretHash: Uint8Array): Promise<void>
  findByHash(secretHash: Uint8Array): Promise<KeyRecord | null>
  /** In the order in which they were made. */
  list(): Promise<KeyRecord[]>
  /** The first revocation counts: a later one changes nothing. */
  revoke(id: string, revokedAt: number): Promise<RevokeOutcome>
}

interface OrganisationRecords {
  /** The one the first start made. An open store always has it. */
  first(): Promise<OrganisationRecord>
}

export interface Store {
  readonly keys: KeyRecords
  readonly organisations: OrganisationRecords
  /** Resolves, with a line for the operator, when the store can never be used again although nobody closed it. */
  readonly failed: Promise<Error>
  /** Proves by a real write that the store takes writes. */
  ping(): Promise<void>
  /** Finishes what was asked before, then lets go of the database. Later calls are rejected. */
  close(): Promise<void>
}
