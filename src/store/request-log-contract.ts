import type { LedgerRow, LimitScope, Limits, Outcome, ReservationRecord } from './ledger-contract.ts'

/**
 * The log of requests, as an organisation reads it: those that the ledger has, and beside them those that were refused
 * before they were let in. What was refused counts for nothing and is in no total.
 */

/** The limit that stood in the way. */
export type RefusingLimit = {
  name: keyof Limits
  scope: LimitScope
  limit: number
  used: number
  /** What the request would have added to it. */
  requested: number
  /** After this time it would have let the request in; null: never, it is too large. */
  waitMs: number | null
}

export type Refusal = Pick<ReservationRecord, 'requestId' | 'organisationId' | 'keyId' | 'endpoint'> & {
  /** Null where the request named none that is served here. */
  model: string | null
  /** Null where it did not get so far. */
  stream: boolean | null
  /** Name in the catalogue of errors. */
  error: string
  limit: RefusingLimit | null
  /** Milliseconds since 1970: when it was refused. */
  createdAt: number
  durationMs: number
  /** So many more were refused right behind it and not written down, because too many came at once. */
  leftOut: number
}

export type LoggedRequest = LedgerRow | Refusal

/** How far somebody went back: what comes next was written before these. */
export type RequestPlace = { ledger: number; refusals: number }

/** Which requests of an organisation, newest first. What is left out does not matter. */
export type RequestFilter = {
  organisationId: string
  /** Null: the playground. */
  keyId?: string | null
  model?: string
  outcome?: Outcome | 'running' | 'refused'
  /** Name in the catalogue of errors. */
  error?: string
  /** Milliseconds since 1970: those that came before are left out. */
  since?: number
  /** Null: from the newest on. */
  before: RequestPlace | null
  limit: number
}

/** A page may hold fewer than `limit` although there are more, when few match. `next` is null at the end. */
export type RequestPage = { rows: LoggedRequest[]; next: RequestPlace | null }

/** How far somebody followed the requests of an organisation: the newest of both kinds, and which had not ended yet. */
export type RequestMark = { newest: number; refused: number; open: readonly number[] }

export interface RequestLogRecords {
  /** Of an organisation that is gone nothing is kept, and of each only the newest few thousand. */
  refuse(refusals: readonly Refusal[]): Promise<void>
  find(requestId: string): Promise<LoggedRequest | null>
  search(filter: RequestFilter): Promise<RequestPage>
  /** Where somebody stands who has seen all there is. */
  mark(organisationId: string): Promise<RequestMark>
  /**
   * What began, ended or was refused behind the mark, each request once and as it is now, those that ended first; of new
   * ones at most `limit` of each kind, oldest first. Nothing is told twice by following the marks, and nothing is left out.
   */
  news(organisationId: string, mark: RequestMark, limit: number): Promise<{ rows: LoggedRequest[]; mark: RequestMark }>
  /** Removes what was refused before, oldest first. Returns how many. */
  prune(refusedBefore: number, limit: number): Promise<number>
}
