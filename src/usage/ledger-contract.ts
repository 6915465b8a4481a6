/**
 * The ledger: every request is reserved before work begins, checkpointed at least once a second while it runs, and
 * settled exactly once. May import `store`, `config`, `prices` and `base`. Promises that only tokens are counted that were sent,
 * or are about to be sent as the end of the answer; and that after a crash at most one second is missing, and nothing
 * of an answer whose end was received.
 */
import type {
  Outcome,
  RequestCounts,
  ReservationRecord,
  SettledPauses,
  SettledRoute,
} from '../store/ledger-contract.ts'
import type { ReplayRecord } from '../store/replay-contract.ts'

export type Ending = {
  outcome: Outcome
  finishReason: string | null
  /** A name in the error catalogue. */
  error: string | null
  /** Absent if nothing was sent to an upstream. */
  route?: SettledRoute
  /** Absent if it was not paused. */
  pauses?: SettledPauses
  /** Absent if hooks did nothing. */
  hooks?: string
  queueMs: number | null
  firstTokenMs: number | null
  durationMs: number
}

/**
 * `lost`: the lease of this node had ended, and another node has settled the request at its last checkpoint. An answer that is
 * not complete yet must end with an error, because it is billed for a part.
 */
export type SettlementFate = 'recorded' | 'lost'

/** The progress of a settlement. Neither promise ever rejects. */
export type Settling = {
  /** It is written, however long that takes. */
  durable: Promise<SettlementFate>
  /**
   * It is written, or the first attempt has failed, for example because the disk is full: it is kept in memory and
   * retried.
   */
  attempted: Promise<SettlementFate>
}

/** The entry of one request in the ledger. */
export interface Entry {
  /** What was sent so far. Cheap: the next checkpoint writes it. */
  count(counts: RequestCounts): void
  /** Settles it with the last counts, and stores the answer for retries. Only the first call has an effect. */
  settle(ending: Ending, replay?: ReplayRecord): Settling
}

export interface Ledger {
  /**
   * Resolves once the reservation is durable. Throws `ledger_unavailable`, and then nothing was reserved. `held`: what its limits
   * have reserved for it, if something other than its caller may have to settle both.
   */
  reserve(reservation: ReservationRecord, held?: object): Promise<Entry>
  /** Whether requests are accepted while the store cannot be reached. What is recorded is then on the local disk. */
  readonly acceptsWithoutStore: boolean
  /** Reservations and settlements that could not be written at once, and are retried. */
  readonly unwritten: number
  /** How long the oldest of them has been waiting; 0 if there are none. */
  readonly lagMs: number
  /** Writes what is still waiting. */
  close(): Promise<void>
}
