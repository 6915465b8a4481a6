import type { AccountRecords, LinkRecords, SessionRecords } from './account-contract.ts'

/**
 * What the rest of the program sees of a database: records in, records out, always a promise. It imports nothing but its
 * other half about people, and promises that a resolved write survives a crash, and that calls take effect in the order in which they were made.
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
  /** The account that made it; null for one of the command line, or when that account is gone. */
  createdBy: string | null
}

/** Whose keys are meant. Only the command line may mean everybody's, and has to say so. */
export type KeyScope = { organisationId: string } | 'all'

export type RevokeOutcome = 'revoked' | 'already_revoked' | 'not_found'

export interface KeyRecords {
  /** The hash is kept beside the record and never comes out again. */
  insert(record: KeyRecord, secretHash: Uint8Array): Promise<void>
  findByHash(secretHash: Uint8Array): Promise<KeyRecord | null>
  /** In the order in which they were made. */
  list(scope: KeyScope): Promise<KeyRecord[]>
  find(scope: KeyScope, id: string): Promise<KeyRecord | null>
  /** The first revocation counts: a later one changes nothing. */
  revoke(scope: KeyScope, id: string, revokedAt: number): Promise<RevokeOutcome>
}

export type Metadata = Record<string, string>

/** A completion that its caller asked to keep, with what was asked. */
export type StoredCompletion = {
  id: string
  organisationId: string
  createdAt: number
  model: string
  metadata: Metadata | null
  /** JSON text of the completion, without its metadata: that alone can change. */
  completion: string
  /** JSON text of the messages of the request, as they were sent. */
  messages: string
}

/** Lists leave the messages out: they can be long, and nobody reads them there. */
export type ListedCompletion = Omit<StoredCompletion, 'messages'>

export type CompletionFilter = {
  model: string | null
  /** All of its pairs must be there. */
  metadata: Metadata
  /** Id of the last one seen: the page begins behind it. */
  after: string | null
  limit: number
  order: 'asc' | 'desc'
}

export type CompletionPage = { items: ListedCompletion[]; hasMore: boolean }

/** Whose completions they are is part of every question: another organisation's do not exist. */
export interface CompletionRecords {
  insert(record: StoredCompletion): Promise<void>
  find(organisationId: string, id: string): Promise<StoredCompletion | null>
  /**
   * By `createdAt`, those of one millisecond in the order in which they came. A page may hold fewer than `limit` although
   * there are more, when they are long. The cursor is unknown when its completion is not there, or not any more.
   */
  list(organisationId: string, filter: CompletionFilter): Promise<CompletionPage | 'unknown_cursor'>
  /** Null when there is no such completion. */
  setMetadata(organisationId: string, id: string, metadata: Metadata | null): Promise<StoredCompletion | null>
  /** False when there was nothing to remove. */
  remove(organisationId: string, id: string): Promise<boolean>
}

interface OrganisationRecords {
  /** The one the first start made. An open store always has it. */
  first(): Promise<OrganisationRecord>
}

export interface Store {
  readonly keys: KeyRecords
  readonly organisations: OrganisationRecords
  readonly completions: CompletionRecords
  readonly accounts: AccountRecords
  readonly sessions: SessionRecords
  readonly links: LinkRecords
  /** Resolves, with a line for the operator, when the store can never be used again although nobody closed it. */
  readonly failed: Promise<Error>
  /** Proves by a real write that the store takes writes. */
  ping(): Promise<void>
  /** Finishes what was asked before, then lets go of the database. Later calls are rejected. */
  close(): Promise<void>
}
