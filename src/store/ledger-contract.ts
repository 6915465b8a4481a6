/**
 * The ledger: what was reserved, how far each answer came, and how each request was settled, with the totals that follow
 * from it; and apart from it the answers that are kept for a retry. The ledger holds no text of prompts or answers. Its
 * rows are only ever added: a request has one reservation, any number of progress checkpoints and exactly one settlement.
 */

/** Each null where there is no such limit. */
export type Limits = {
  requestsPerMinute: number | null
  tokensPerMinute: number | null
  requestsInFlight: number | null
  tokensPerDay: number | null
  tokensPerMonth: number | null
}

/** What an organisation was given: null for what the settings give to every organisation, 0 for no limit. */
export type OrganisationLimits = Limits

type TokenCounts = {
  promptTokens: number
  /** Of the prompt's: those that did not have to be read again. */
  cachedTokens: number
  completionTokens: number
  /** Of the completion's: those of thoughts. */
  reasoningTokens: number
}

/** Of one request. */
export type RequestCounts = TokenCounts & {
  /** Some of them are not the engine's own counts: an upstream did not tell them, or told what cannot be. False if absent. */
  isEstimated?: boolean
}

/** Whose a limit is, the narrowest first. */
export type LimitScope = 'key' | 'organisation' | 'server'

/** A limit for any minute, as it was once the request counted: of all that applied, the one with the least left. */
export type AppliedLimit = { scope: LimitScope; limit: number; remaining: number }

/** Each null where nothing was limited. */
export type AppliedLimits = { requests: AppliedLimit | null; tokens: AppliedLimit | null }

export type ReservationRecord = {
  requestId: string
  organisationId: string
  /** Null for what somebody asked in the playground. */
  keyId: string | null
  model: string
  endpoint: 'chat.completions' | 'playground'
  stream: boolean
  /** Prompt tokens and the most the answer may take. */
  reservedTokens: number
  /** Null for requests from before they were written down. */
  limits: AppliedLimits | null
  /** Milliseconds since 1970. */
  createdAt: number
}

export type ProgressCheckpoint = RequestCounts & { requestId: string }

export type Outcome =
  /** The whole answer was handed over. */
  | 'completed'
  /** It ended with an error. */
  | 'failed'
  /** The client went away before the end. */
  | 'client_closed'
  /** The server died in the middle: closed at its next start, at the last durable count. */
  | 'server_died'

export type Settlement = RequestCounts & {
  requestId: string
  outcome: Outcome
  finishReason: string | null
  /** Name in the catalogue of errors. */
  error: string | null
  /** Durations since the request came; null for what it did not reach. */
  queueMs: number | null
  firstTokenMs: number | null
  durationMs: number
  /** Milliseconds since 1970. */
  endedAt: number
  /** The day it counts for, in the time zone of the server: 20261115. */
  day: number
}

/** One request as the ledger has it; `settlement` is null while it runs. */
export type LedgerRow = ReservationRecord & { settlement: Omit<Settlement, 'requestId'> | null }

export type UsageTotals = TokenCounts & {
  requests: number
  failed: number
  clientClosed: number
  /** Sums over the requests that came so far, for averages. */
  firstTokens: number
  firstTokenMs: number
  durationMs: number
}

export type UsageRow = UsageTotals & {
  day: number
  organisationId: string
  keyId: string | null
  model: string
}

export type UsageFilter = {
  organisationId: string | null
  /** Undefined: all; null: the playground. */
  keyId?: string | null
  /** Days inclusive, 20261115. */
  fromDay: number
  toDay: number
}

/** Where kept totals and the ledger do not agree. */
export type UsageDifference = { day: number; organisationId: string; keyId: string | null; model: string } & {
  kept: UsageTotals | null
  counted: UsageTotals | null
}

/** A kept answer: events of a stream, or one document. */
export type ReplayRecord = {
  organisationId: string
  /** SHA-256 of the idempotency key. */
  keyHash: Uint8Array
  /** SHA-256 of what was asked. */
  bodyHash: Uint8Array
  completionId: string
  requestId: string
  stream: boolean
  /** Stream: the data of each event, one a line, without `[DONE]`. Otherwise the JSON document. */
  content: string
  createdAt: number
  expiresAt: number
}

export interface LedgerRecords {
  /** All of them, or none. */
  reserve(reservations: readonly ReservationRecord[]): Promise<void>
  /** Checkpoints of requests that are settled meanwhile are left out. */
  checkpoint(checkpoints: readonly ProgressCheckpoint[], now: number): Promise<void>
  /**
   * Closes the requests, adds to the totals and keeps the answers, in one transaction. A request that is settled already
   * keeps its first settlement; the answer says how many were closed now.
   */
  settle(settlements: readonly Settlement[], replays: readonly ReplayRecord[]): Promise<number>
  /** Closes what a dead server left open, at its last checkpoint. Only for a start, before anything is reserved. */
  recover(now: number, day: number): Promise<number>
  /** Requests that were reserved or settled since, for windows that outlast a restart. */
  since(createdAt: number): Promise<LedgerRow[]>
  /** Newest first. */
  list(filter: { organisationId: string | null; before: string | null; limit: number }): Promise<LedgerRow[]>
  find(requestId: string): Promise<LedgerRow | null>
  /** Removes settled requests that ended before, oldest first; their totals stay. Returns how many. */
  prune(endedBefore: number, limit: number): Promise<number>
  /** Removes checkpoints from before of requests that are settled. Returns how many. */
  pruneCheckpoints(writtenBefore: number, limit: number): Promise<number>
}

export interface UsageRecords {
  /** By day, organisation, key and model. */
  rows(filter: UsageFilter): Promise<UsageRow[]>
  /** Tokens settled in these days, of prompt and completion together. Null means everybody's, or every key's. */
  tokens(subject: {
    organisationId: string | null
    keyId: string | null
    fromDay: number
    toDay: number
  }): Promise<number>
  /** Recomputes every total from the ledger, for the days that the ledger still holds whole: since `fromDay`. */
  verify(): Promise<{ checkedRequests: number; fromDay: number | null; differences: UsageDifference[] }>
}

export interface ReplayRecords {
  /** Whether `find` would find one, without reading it. */
  has(organisationId: string, keyHash: Uint8Array, now: number): Promise<boolean>
  find(organisationId: string, keyHash: Uint8Array, now: number): Promise<ReplayRecord | null>
  /** Removes a few of those that have expired, for good; returns how many. 0: none is left. */
  removeExpired(now: number): Promise<number>
  /** All that is kept, in bytes, by organisation. */
  bytes(): Promise<ReadonlyMap<string, number>>
}
