/**
 * Rate limits and budgets: who may begin how much. May import `store`, `config` and `base`. Promises that no number of
 * requests at once gets past a limit: a decision and its reservation are one step, and what is not used is given back.
 */
import type { AppliedLimits, Limits } from '../store/ledger-contract.ts'
import type { LimitScope } from '../store/limit-names.ts'

/** Who sends a request. */
export type Caller = {
  organisationId: string
  /** Null for the playground. */
  key: { id: string; limits: Limits } | null
}

/** Who asks for how much. */
export type Ask = Caller & {
  model: string
  promptTokens: number
  /** To reserve for all choices of the answer together. */
  completionTokens: number
  /** Where a limit is narrower than that, so little will do. What it allows in between is reserved. */
  leastCompletionTokens?: number
}

/** What was reserved for one request. */
export interface TokenReservation {
  /** How many tokens are reserved now, of the prompt and the answer. */
  readonly reservedTokens: number
  /**
   * Reserves up to so many more for a request that is running, in one step with the decision; resolves to how many. 0: some
   * limit is used up.
   */
  extend(tokens: number): Promise<number>
  /** The limits that let it in, as they were with it. */
  readonly applied: AppliedLimits
  /** The `x-ratelimit-*` headers as they are right now; with `usedTokens`, as when the request has ended with so many. */
  headers(usedTokens?: number): Record<string, string>
  /**
   * The request has ended with so many tokens. The first call counts. `written` resolves once the store has them, if ever:
   * until then a sum that is read there cannot be trusted to have them.
   */
  settle(usedTokens: number, written: Promise<unknown>): void
}

/** A request that may send its body, and is not admitted yet. It counts as a request in flight from here on. */
export interface PendingRequest {
  /** Decides about all limits, now that the tokens are known. Throws an `ApiError` with its headers where the answer is no. */
  admit(ask: Omit<Ask, keyof Caller>): Promise<TokenReservation>
  /** The `x-ratelimit-*` headers as they are right now, for an answer whose head goes out before it is admitted. */
  headers(): Record<string, string>
  /** Gives back its place among the requests in flight, unless it was admitted. It can be admitted later all the same. */
  release(): void
  /** It was refused after its body was read. Counts in the window of refused requests, unless it was admitted before. */
  refuse(): void
}

export type Precheck = {
  /** Named in the refusal. */
  model: string
  /** Asked where a limit would refuse it: whether it repeats a request that was admitted before. Null: it cannot. */
  isReplay: (() => Promise<boolean>) | null
}

/** How much of one limit is used. */
export type LimitUse = {
  limit: number
  used: number
  /** Milliseconds since 1970: when all of it is free again, if nothing more is sent. Null: when running requests end. */
  resetsAt: number | null
}
/** Of one key, organisation or the server: those limits that are set. */
export type UsageSnapshot = { scope: LimitScope; uses: Partial<Record<keyof Limits, LimitUse>> }

export interface Limiter {
  /**
   * What can be decided before the body is read: requests in flight, requests a minute, budgets that are used up, and
   * whether so many requests were refused lately that this one is not worth reading. Throws as `admit` does.
   */
  precheck(caller: Caller, precheck: Precheck): Promise<PendingRequest>
  /** Throws an `ApiError` with its headers where the answer is no. */
  admit(ask: Ask): Promise<TokenReservation>
  /** The narrowest scope first. `key` null: of the organisation and the server alone. */
  usageSnapshots(organisationId: string, key: { id: string; limits: Limits } | null): Promise<UsageSnapshot[]>
  /** The limits of this organisation were changed: the next request asks the store again. */
  forget(organisationId: string): void
}
