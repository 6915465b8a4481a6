/** What workers and their authority say to each other. Plain data only, because it travels between threads. */
import type { PlainError } from '../../base/api-error.ts'
import type { LogFields } from '../../base/log.ts'
import type { LogLevel } from '../../base/log-fields.ts'
import type { ModelKind, ServedModel } from '../../engine/contract.ts'
import type { Caller, TokenRequest } from '../../limits/limiter-contract.ts'
import type { Price } from '../../prices/price.ts'
import type { TokenCounts } from '../../schedule/token-cost.ts'
import type { StoredBodies } from '../../store/body-contract.ts'
import type { ActingMember, KeyValidity, MemberValidity } from '../../store/caller-contract.ts'
import type { FoundKey, StoredCompletion } from '../../store/contract.ts'
import type { AppliedLimits, ToBeReserved } from '../../store/ledger-contract.ts'
import type { Refusal } from '../../store/request-log-contract.ts'
import type { ChainLimits, ResponseChain, StoredResponse } from '../../store/response-contract.ts'
import type { Upstream } from '../../upstreams/contract.ts'
import type { UpstreamOutcome } from '../../upstreams/pool/circuit-breaker.ts'
import type { Placing } from '../../upstreams/pool/placement.ts'
import type { Ending, SettlementFate } from '../../usage/ledger-contract.ts'
import type { CallerNumber } from './caller-numbers.ts'

/** A number that a worker gives to a request, a slot or a place, and uses again once it is released. */
export type Ticket = number

type Headers = Record<string, string>

export type Admission = {
  reservedTokens: number
  price: Price | null
  reservedMicros: number | null
  applied: AppliedLimits
  /** The rate-limit headers at admission. */
  headers: Headers
  /** The same if the request had ended without using anything. */
  headersUnused: Headers
}

/**
 * What a worker asks. Of a request it asks twice: `begin` and `enter` go together, once its body was read, and `settle` goes with
 * the notes that its slot and its place are free.
 *
 * ```
 *  worker                                      authority
 *  ------                                      ---------
 *  key, body, prompt
 *    begin (limits, ledger) + enter (slot)  -->  check, admit, write the reservation: commit
 *                                          <--  what was admitted
 *                                               then a slot, and a place if there is only one upstream
 *                                          <--  the slot, with the name of the upstream
 *  call of the upstream; counts are in shared memory
 *    slotLeft, placeLeft + settle           -->  write the settlement: commit
 *                                          <--  it is written
 *  end of the response
 * ```
 *
 * A `precheck` goes before, and the body is read only after its answer, where that may save work (`remote-accounting.ts`). A
 * `place` is asked for apart where the choice among upstreams depends on the prompt, and for further attempts.
 */
export type AuthorityCalls = {
  /** By the hash in hexadecimal. */
  findKey: { asks: string; answers: FoundKey | null }
  callerKeys: { asks: readonly string[]; answers: KeyValidity[] }
  callerMembers: { asks: readonly ActingMember[]; answers: MemberValidity[] }
  precheck: {
    asks: { ticket: Ticket; caller: Caller; model: string }
    /** `isKept`: the bodies of the organisation are stored. */
    answers: { headers: Headers; isKept: boolean }
  }
  /** Answered once the reservation is written. */
  begin: {
    asks: {
      ticket: Ticket
      caller: CallerNumber
      /** After a precheck. */
      isChecked: boolean
      request: Omit<TokenRequest, keyof Caller>
      /** The rest of it is known from the caller. */
      record: Omit<ToBeReserved, 'organisationId' | 'keyId'>
    }
    answers: Admission & { isKept: boolean }
  }
  extend: { asks: { ticket: Ticket; tokens: number }; answers: number }
  /** Answered once it is written, or the first attempt has failed. */
  settle: { asks: { ticket: Ticket; ending: Ending }; answers: SettlementFate }
  enter: {
    asks: {
      ticket: Ticket
      /** The request, which has to begin first. */
      request: Ticket
      choices: number
      /** Of the place at the only upstream of the model; null: it is asked for apart. */
      place: Ticket | null
    }
    /** `upstream`: of the place. `extras`: how many slots more it has, for further choices. */
    answers: { upstream: string | null; extras: number }
  }
  /** One more slot for a further choice, if one is free and nobody waits. */
  extraSlot: { asks: { ticket: Ticket }; answers: boolean }
  /** Between two choices: if a waiting request should go first, it gets the slot. Answered when there is one again. */
  yieldSlot: { asks: { ticket: Ticket }; answers: null }
  place: {
    asks: { ticket: Ticket; model: string; placing: PlainPlacing }
    answers: { upstream: string }
  }
  /** Answered once it is written, like the next. */
  storeCompletion: { asks: StoredCompletion; answers: null }
  storeResponse: { asks: { record: StoredResponse; itemIds: readonly string[] }; answers: null }
  responseChain: {
    asks: { organisationId: string; id: string; since: number; limits: ChainLimits }
    answers: ResponseChain
  }
  responsesWithItems: {
    asks: { organisationId: string; itemIds: readonly string[]; since: number }
    answers: Map<string, string>
  }
  /** For an answer that will be stored. False if the disk has not that much free space. */
  reserveDisk: { asks: { ticket: Ticket; bytes: number }; answers: boolean }
  /** Answered when everything that was said before has been done. */
  sync: { asks: null; answers: null }
}

type PlainPlacing = Omit<Placing, 'tried' | 'accepts'> & {
  tried: readonly string[]
  /** The names of the upstreams that accept the request; null: all. */
  accepted: readonly string[] | null
}

/** What a worker tells. */
export type AuthorityNotes = {
  touched: { keyId: string }
  released: { ticket: Ticket }
  refused: { ticket: Ticket; cpuMs: number }
  /** The same of a request that the authority has not heard of. */
  refusedBefore: { caller: Caller; model: string; cpuMs: number }
  slotUsed: { ticket: Ticket; tokens: TokenCounts }
  /** One of several is free. */
  extraLeft: { ticket: Ticket }
  /** The last one is. `tokens`: what it has used in all, if that is news. */
  slotLeft: { ticket: Ticket; tokens: TokenCounts | null }
  /** A request has begun to be answered. `isWhole`: all of the answer is there. */
  placeBegan: { ticket: Ticket; isWhole: boolean }
  /** `answeredTokens`: of a complete answer. */
  placeLeft: { ticket: Ticket; outcome: UpstreamOutcome | null; answeredTokens: number | null }
  /** What was reserved of the disk is free, or written. */
  diskLeft: { ticket: Ticket }
  refusal: Omit<Refusal, 'leftOut'>
  bodies: StoredBodies
  logged: { level: LogLevel; event: string; fields: LogFields }
  /** Complete lines of the log, as they are written: as JSON, each quotation mark would be escaped and read again. */
  lines: Uint8Array
}

/** A model of this server, as workers know it. */
export type PoolView = {
  model: ServedModel
  aliases: readonly string[]
  kind: ModelKind
  /** Workers answer requests for it themselves. */
  isOfWorkers: boolean
}

export type ServedView = { pools: readonly PoolView[]; upstreams: readonly Upstream[] }

export type Certificate = { cert: Uint8Array; key: Uint8Array }

/** What the authority asks of a worker. */
export type WorkerCalls = {
  listen: { asks: { host: string; port: number; tls: Certificate | null }; answers: { port: number } }
  /** Answered when no request is running. */
  idle: { asks: null; answers: null }
  /** Answered when all connections are closed. */
  closeListener: { asks: { keepsIdle: boolean }; answers: null }
  /** Answered when the worker has closed everything. */
  stop: { asks: null; answers: null }
}

/** What it tells a worker. */
export type WorkerNotes = {
  served: ServedView
  certificate: Certificate
  /** Keys or members have changed: running answers are checked again. */
  recheck: null
  /** Another node may have settled the requests of this one. */
  leaseLost: null
  closeConnections: null
  refuseNew: null
  abortAll: PlainError
  closeAllConnections: null
}
