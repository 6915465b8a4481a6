import type { Endpoint, LedgerRow, LimitScope, Limits, Outcome, ReservationRecord } from './ledger-contract.ts'

/**
 * The request log as an organisation sees it: the requests in the ledger, and those refused before admission. Refused
 * requests are not counted and are in no total.
 */

/** The limit that refused the request. */
export type RefusingLimit = {
  name: keyof Limits
  scope: LimitScope
  limit: number
  used: number
  /** What the request would have added to it. */
  requested: number
  /** After this time it would have admitted the request; null: never, the request is too large. */
  waitMs: number | null
}

export type Refusal = Pick<ReservationRecord, 'requestId' | 'organisationId' | 'keyId' | 'endpoint'> & {
  /** Null if the request named no model that is served here. */
  model: string | null
  /** Null if it was refused earlier. */
  stream: boolean | null
  /** A name in the error catalogue. */
  error: string
  limit: RefusingLimit | null
  /** What hooks did, as in a settlement. Absent if they did nothing. */
  hooks?: string
  /** Milliseconds since 1970: when it was refused. */
  createdAt: number
  durationMs: number
  /** How many more were refused right after it and not recorded, because there were too many at once. */
  leftOut: number
}

/** How many requests were refused with one error, by the same limit. */
export type ServerRefusalCount = {
  error: string
  /** Null unless a limit refused them. */
  limit: { name: RefusingLimit['name']; scope: LimitScope } | null
  requests: number
}

export type LoggedRequest = LedgerRow | Refusal

/** A position in the list: the next page was written before these. */
export type RequestPlace = { ledger: number; refusals: number }

/** A filter for the requests of an organisation, newest first. Fields left out are not compared. */
export type RequestFilter = {
  organisationId: string
  /** Null: the playground. */
  keyId?: string | null
  model?: string
  endpoint?: Endpoint
  outcome?: Outcome | 'running' | 'refused'
  /** A name in the error catalogue. */
  error?: string
  /** Milliseconds since 1970: earlier requests are left out. */
  since?: number
  /** Those from then on are left out. */
  until?: number
  /** Only requests whose ID contains the text, or with one of these errors. */
  matching?: { requestId: string; errors: readonly string[] }
  /** Null: starts with the newest. */
  before: RequestPlace | null
  limit: number
}

/** A page may have fewer than `limit` although there are more, if few match. `next` is null at the end. */
export type RequestPage = { rows: LoggedRequest[]; next: RequestPlace | null }

/** How far somebody followed the requests of an organisation: the newest of both kinds, and which had not ended yet. */
export type RequestMark = { newest: number; refused: number; open: readonly number[] }

/**
 * How far a running request has come, by its last checkpoint: the tokens of its answer, and how long after its beginning that
 * was. Both are 0 before the first checkpoint.
 */
export type RequestProgress = { requestId: string; completionTokens: number; afterMs: number }

/** How many requests were refused with an error, those that were not recorded included. */
export type RefusedCount = { error: string; count: number }

export interface RequestLogRecords {
  /** Of an organisation that is gone nothing is kept, and of each only the newest few thousand. */
  refuse(refusals: readonly Refusal[]): Promise<void>
  find(requestId: string): Promise<LoggedRequest | null>
  search(filter: RequestFilter): Promise<RequestPage>
  /** The position of a reader who has seen everything. */
  mark(organisationId: string): Promise<RequestMark>
  /**
   * What began, ended or was refused behind the mark, each request once and as it is now, those that ended first; of new
   * ones at most `limit` of each kind, oldest first. A reader that follows the marks gets nothing twice and misses nothing;
   * but while others write at the same moment, something may come with a later call only.
   */
  news(organisationId: string, mark: RequestMark, limit: number): Promise<{ rows: LoggedRequest[]; mark: RequestMark }>
  /** Of requests that a mark names as open. Those of others are left out. */
  progress(organisationId: string, open: RequestMark['open']): Promise<RequestProgress[]>
  /** Of those that are kept, from a moment on and before another: the most frequent errors first. */
  countRefused(organisationId: string, from: number, until: number): Promise<RefusedCount[]>
  /**
   * What was refused on the whole server since then, most frequent first. At most `looked` refusals are counted, the newest;
   * those that were left out of the log count too.
   */
  countServerRefusals(filter: { since: number; looked: number; limit: number }): Promise<ServerRefusalCount[]>
  /** Removes what was refused before, oldest first. Returns how many. */
  prune(refusedBefore: number, limit: number): Promise<number>
}
