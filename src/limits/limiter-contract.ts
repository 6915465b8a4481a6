/**
 * Rate limits and budgets. May import `store`, `config`, `prices` and `base`. Promises that admission is atomic: a request is checked
 * and its maximum cost reserved in one step, so concurrency cannot exceed a limit. What is not used is released.
 */
import type { PricedTokens } from '../prices/compute-cost.ts'
import type { Price } from '../prices/price.ts'
import type { AppliedLimits, LimitScope, Limits, ToBeReserved } from '../store/ledger-contract.ts'

/** Whose limits apply to a request. */
export type Caller = {
  organisationId: string
  /** Null for the playground. */
  key: { id: string; limits: Limits } | null
}

export type TokenRequest = Caller & {
  model: string
  promptTokens: number
  /** Instead of the price of the model. */
  price?: Price | null
  /** For all choices of the answer together. */
  completionTokens: number
  /** Enough if a limit never allows `completionTokens` or a budget has fewer left; as many as possible are then reserved. */
  leastCompletionTokens?: number
  /** Enough if the minute has fewer than `completionTokens` left; as many as are left are then reserved. Absent: all. */
  enoughCompletionTokens?: number
}

/** What follows an admission. In a worker, where each step would be a message, it is asked for together with it. */
export type AdmittedWork = {
  record: ToBeReserved
  ownerId: string
  choices: number
}

/** What a request has used when it ends. */
export type UsedTokens = PricedTokens

/** The tokens reserved for an admitted request, and with them what they can cost. */
export interface TokenReservation {
  /** Of the prompt and the answer, at this moment. */
  readonly reservedTokens: number
  /** The price that applies to the request. Null: it has none. */
  readonly price: Price | null
  /** What the tokens reserved at admission can cost at most. Null without a price. */
  readonly reservedMicros: number | null
  /** Decides and reserves up to this many more tokens in one step; resolves to how many. 0: a limit is used up. */
  extend(tokens: number): Promise<number>
  /** The limits at admission, with this request included. */
  readonly applied: AppliedLimits
  /** The current `x-ratelimit-*` headers; with `usedTokens`, as if the request had just ended with so many. */
  headers(usedTokens?: number): Record<string, string>
  /**
   * The request has ended with these tokens, at the price of its reservation. Only the first call counts. `written`
   * resolves once the store has them: until then a sum read from the store may not include them.
   */
  settle(used: UsedTokens, written: Promise<unknown>): void
  /** Instead of `settle`, if the ledger never had the request: it counts towards the minute only. */
  cancel(): void
}

/** A request that passed the precheck and is not admitted yet. It counts as a request in flight. */
export interface PendingRequest {
  /**
   * Checks all limits, now that the tokens are known. Throws an `ApiError` with rate-limit headers if one is exceeded. `work`: if it
   * is entered in the ledger and queued next.
   */
  admit(request: Omit<TokenRequest, keyof Caller>, work?: AdmittedWork): Promise<TokenReservation>
  /**
   * The request generates nothing, so there are no tokens to reserve: it counts as one request per minute from now on,
   * and as in flight until it is released. It cannot exceed a limit, because the precheck has counted it
   * (`isOnlyCheck`).
   */
  admitWithoutTokens(): void
  /** The current `x-ratelimit-*` headers, for a stream whose headers are sent before it is admitted. */
  headers(): Record<string, string>
  /** It no longer counts as in flight, unless it was admitted. It can still be admitted later. */
  release(): void
  /**
   * It was refused after its body was read. It counts as a refused request, unless it was admitted; as several, if reading it
   * took much CPU time (`refusedCount`).
   */
  refuse(cpuMs?: number): void
}

export type Precheck = {
  /** Named in the error. */
  model: string
  /** Called if a limit is exceeded: whether it repeats an admitted request. Null: it cannot. */
  isReplay: (() => Promise<boolean>) | null
  /** It will be admitted without tokens, and so without another check. */
  isOnlyCheck?: boolean
  /** How long its body is, as far as that is known. */
  bodyBytes?: number | null
}

/** How much of one limit is used. */
export type LimitUse = {
  limit: number
  used: number
  /**
   * When none of it will be in use any more if no further requests arrive, in milliseconds since 1970. Null: when
   * running requests end.
   */
  resetsAt: number | null
}
/** The limits that are set for a key, an organisation or the server. */
export type UsageSnapshot = { scope: LimitScope; uses: Partial<Record<keyof Limits, LimitUse>> }

export interface Limiter {
  /**
   * Checks what can be decided before the body is read: requests in flight, requests per minute, exhausted budgets, and
   * whether too many requests were refused recently. Throws as `admit` does.
   */
  precheck(caller: Caller, precheck: Precheck): Promise<PendingRequest>
  /** Throws an `ApiError` with rate-limit headers if a limit is exceeded. */
  admit(request: TokenRequest): Promise<TokenReservation>
  /**
   * `precheck` and `admit` in one step, with one lookup of limits and counters: for a request whose body was read before anything was
   * checked. Absent where each of them may ask another server.
   */
  checkAndAdmit?(request: TokenRequest): Promise<TokenReservation>
  /** The narrowest scope first. Without a key: of the organisation and the server only. */
  usageSnapshots(organisationId: string, key: { id: string; limits: Limits } | null): Promise<UsageSnapshot[]>
  /** The limits of this organisation were changed: the next request reads them again. */
  forget(organisationId: string): void
  /** The settings were changed: the next request is decided by them. */
  refresh(): void
}
