/**
 * The ledger: reservations, progress checkpoints and settlements of requests, with the totals computed from them. It contains no
 * text of prompts or answers. A request has one reservation and exactly one settlement, which never change, and while it runs the
 * last progress checkpoint. Only the guess of another server is replaced, once (`replaceGuess`).
 */

import type { LimitScope, Limits } from '../config/limit-kinds.ts'
import type { Price } from '../prices/price.ts'
import type { ReplayRecord } from './replay-contract.ts'

export type { LimitScope, Limits }

/** The limits set for one organisation: null for the default of the settings, 0 for no limit. */
export type OrganisationLimits = Limits

type TokenCounts = {
  promptTokens: number
  /** Of the prompt tokens: those found in the cache. */
  cachedTokens: number
  completionTokens: number
  /** Of the completion tokens: those of reasoning. */
  reasoningTokens: number
}

/** The counts of one request. */
export type RequestCounts = TokenCounts & {
  /** Some are estimates, because an upstream reported no count or an impossible one. False if absent. */
  isEstimated?: boolean
}

/** A limit per minute, with the request included: of all that applied, the one with the least remaining. */
export type AppliedLimit = { scope: LimitScope; limit: number; remaining: number }

/** Null: nothing was limited. */
export type AppliedLimits = { requests: AppliedLimit | null; tokens: AppliedLimit | null }

/** What a request called, in the order in which pages list them. Requests of the playground have no key. */
export const endpoints = [
  'chat.completions',
  'responses',
  'messages',
  'completions',
  'embeddings',
  'rerank',
  'score',
  'playground',
] as const
export type Endpoint = (typeof endpoints)[number]

/** Unknown fields that were left out of a request: at most 32 of their paths, without indices, and how many more there were. */
export type IgnoredFields = { names: readonly string[]; more: number }

export type ReservationRecord = {
  requestId: string
  organisationId: string
  /** Null for requests of the playground. */
  keyId: string | null
  model: string
  endpoint: Endpoint
  stream: boolean
  /** Prompt tokens plus the maximum for the answer. */
  reservedTokens: number
  /** The price that applies to the request, whatever changes later. Null: it had none. */
  price: Price | null
  /** The most that the reserved tokens can cost. Null without a price. */
  reservedMicros: number | null
  /** Null for requests from before limits were recorded. */
  limits: AppliedLimits | null
  /** Absent if there were none, and for requests from before they were recorded. */
  ignoredFields?: IgnoredFields
  /** The request whose answer it was sent, from the cache. Absent if its answer was generated. */
  cachedFrom?: string
  /** Milliseconds since 1970. */
  createdAt: number
  /**
   * It is executed for an idempotency key. With several nodes it is reserved only while the node has the claim of the key
   * (`Claims`). Not stored; false if absent.
   */
  isClaimed?: boolean
}

/** What is recorded of a request, before it is known what is reserved for it. */
export type ToBeReserved = Omit<
  ReservationRecord,
  'reservedTokens' | 'price' | 'reservedMicros' | 'limits' | 'createdAt'
>

export type ProgressCheckpoint = RequestCounts & { requestId: string }

export type Outcome =
  /** The complete answer was sent. */
  | 'completed'
  /** It ended with an error. */
  | 'failed'
  /** The client closed the connection before the end. */
  | 'client_closed'
  /** The server died during the request: settled at the next start, with the last durable count. */
  | 'server_died'

/** Which upstreams answered a request. */
export type SettledRoute = {
  /** Each once, in the order in which they first sent something; empty if none did. */
  upstreams: readonly string[]
  /** Requests that were sent to upstreams; with several choices, of all of them. */
  attempts: number
  /** Each once: those that failed an attempt. Absent if none did. Not stored with the request, only counted. */
  failed?: readonly string[]
  /** An upstream failed during the answer, and another continued it. */
  isContinued: boolean
  /**
   * Of an answer that came in pieces: how long its upstream took to begin, and from there to its end. What comes before and after, such as
   * hooks, is no part of it. Not stored with the request either.
   */
  timing?: { firstTokenMs: number; answerMs: number }
}

/** How often an answer was paused because others had its turn, and for how long in total. */
export type SettledPauses = { count: number; ms: number }

export type Settlement = RequestCounts & {
  requestId: string
  /** Null without a price. */
  costMicros: number | null
  outcome: Outcome
  finishReason: string | null
  /** A name in the error catalogue. */
  error: string | null
  /** Absent if nothing was sent to an upstream, and for requests from before it was recorded. */
  route?: SettledRoute
  /** Absent if it was not paused, and for requests from before it was recorded. */
  pauses?: SettledPauses
  /** What hooks did, as `writeHookActions` writes it. Absent if they did nothing. */
  hooks?: string
  /** Durations since the request arrived; null for steps it did not reach. */
  queueMs: number | null
  firstTokenMs: number | null
  /** How long the tokens after the first took. Absent if the speed was not measured (`measureTimedMs`). */
  timedMs?: number
  durationMs: number
  /** Milliseconds since 1970. */
  endedAt: number
  /** The day it counts towards, in the server's time zone: 20261115. */
  day: number
}

/** One request in the ledger; `settlement` is null while it runs. */
export type LedgerRow = ReservationRecord & { settlement: Omit<Settlement, 'requestId'> | null }

/** The settlement that was replaced by a better one, and whose request it was. */
export type ReplacedGuess = Pick<ReservationRecord, 'organisationId' | 'keyId' | 'model'> & {
  guess: Omit<Settlement, 'requestId'>
}

export type UsageTotals = TokenCounts & {
  requests: number
  failed: number
  clientClosed: number
  /** Requests whose counts are estimates, at least in part. */
  estimated: number
  costMicros: number
  /** Sums over the requests that got that far, for averages. */
  firstTokens: number
  firstTokenMs: number
  /** Sums over the answers whose speed was measured: tokens after the first, and how long they took. */
  timedTokens: number
  timedMs: number
  durationMs: number
}

export type UsageRow = UsageTotals & {
  day: number
  organisationId: string
  keyId: string | null
  model: string
}

type UsagePeriodFilter = { fromDay: number; toDay: number; limit: number }

export type UsageFilter = {
  organisationId: string | null
  /** Undefined: all; null: the playground. */
  keyId?: string | null
  /** Days inclusive, 20261115. */
  fromDay: number
  toDay: number
}

/** The totals of a day, of all keys and models of an organisation. */
export type UsageDay = UsageTotals & { day: number }

/** The totals of an organisation or a model over several days. */
export type UsageShare = UsageTotals & {
  /** Of the organisation, or the name of the model. */
  id: string
  /** Null for models, and for organisations that no longer exist. */
  name: string | null
}

/** A difference between stored totals and the ledger. */
export type UsageDifference = { day: number; organisationId: string; keyId: string | null; model: string } & {
  kept: UsageTotals | null
  counted: UsageTotals | null
}

export interface LedgerRecords {
  /** All of them, or none. */
  reserve(reservations: readonly ReservationRecord[]): Promise<void>
  /** Replaces the requests' last checkpoints. Those of requests that have been settled in the meantime are skipped. */
  checkpoint(checkpoints: readonly ProgressCheckpoint[], now: number): Promise<void>
  /**
   * Settles the requests, adds to the totals and stores the answers, in one transaction. A request that is already
   * settled keeps its first settlement. Returns how many were settled now.
   */
  settle(settlements: readonly Settlement[], replays: readonly ReplayRecord[]): Promise<number>
  /**
   * Replaces a settlement `server_died` by that of the server that ran the request, with the difference in the totals: it was a
   * guess from the last checkpoint, and the server knows more. Only once, and not if the request was executed again for its
   * idempotency key. Null: nothing was replaced.
   */
  replaceGuess(settlement: Settlement, replay: ReplayRecord | null): Promise<ReplacedGuess | null>
  /**
   * Settles requests that a dead server left open, at their last checkpoints. Only at startup, before anything is
   * reserved.
   */
  recover(now: number, day: number): Promise<number>
  /** Requests reserved or settled since then, for windows that span a restart. */
  since(createdAt: number): Promise<LedgerRow[]>
  /** Newest first. */
  list(filter: { organisationId: string | null; before: string | null; limit: number }): Promise<LedgerRow[]>
  find(requestId: string): Promise<LedgerRow | null>
  /** Removes settled requests that ended before this time, oldest first; their totals stay. Returns how many. */
  prune(endedBefore: number, limit: number): Promise<number>
  /** Removes checkpoints of settled requests from before this time. Returns how many. */
  pruneCheckpoints(writtenBefore: number, limit: number): Promise<number>
}

/** What one key used in one hour. */
export type UsageHour = {
  /** Milliseconds since 1970, at which the hour began. */
  startsAt: number
  requests: number
  promptTokens: number
  completionTokens: number
}

/** What one key used of a model at an endpoint in a quarter of an hour, of the requests that ended in one way. */
export type SettledUsage = UsageTotals & {
  /** Milliseconds since 1970, at which the quarter began. */
  startsAt: number
  keyId: string | null
  model: string
  endpoint: Endpoint
  outcome: Outcome
}

type SettledUsagePlace = { caller: number; sequence: number }

export type SettledUsageFilter = {
  organisationId: string
  /** Milliseconds since 1970. Requests that ended from then on, and before `until`. */
  from: number
  until: number
  /** Null: starts with the newest. */
  place: SettledUsagePlace | null
  /** How many requests are looked at. */
  limit: number
}

/** `next` is null at the end. */
export type SettledUsagePage = { rows: SettledUsage[]; next: SettledUsagePlace | null }

/** Null: all organisations, or all keys. Days inclusive. */
export type UsageSubject = { organisationId: string | null; keyId: string | null; fromDay: number; toDay: number }

export interface UsageRecords {
  /** By day, organisation, key and model. */
  rows(filter: UsageFilter): Promise<UsageRow[]>
  /** By day alone: an organisation may have thousands of keys. Null: of all organisations. Days without requests are left out. */
  days(filter: { organisationId: string | null; fromDay: number; toDay: number }): Promise<UsageDay[]>
  /** The organisations or models of the whole server with the most tokens in these days, most first. */
  largest(by: 'organisation' | 'model', filter: UsagePeriodFilter): Promise<UsageShare[]>
  /** From the settled requests themselves, as long as they are kept. The same quarter may appear on several pages. */
  settled(filter: SettledUsageFilter): Promise<SettledUsagePage>
  /** Settled requests that ended on days up to this one, in the server's time zone, may be gone. Null: none is. */
  horizon(): Promise<number | null>
  /**
   * Settled requests of a key by the hour in which they began, oldest first; hours without any are left out. Of a busy
   * key only the newest requests are counted.
   */
  hours(filter: { organisationId: string; keyId: string; since: number }): Promise<UsageHour[]>
  /** Prompt and completion tokens settled in these days. */
  tokens(subject: UsageSubject): Promise<number>
  /** The same for the cost. */
  costMicros(subject: UsageSubject): Promise<number>
  /** The same for the number of requests, however they ended. */
  requests(subject: UsageSubject): Promise<number>
  /** Recomputes every total from the ledger, for the days that are still complete in it: since `fromDay`. */
  verify(): Promise<{ checkedRequests: number; fromDay: number | null; differences: UsageDifference[] }>
}
