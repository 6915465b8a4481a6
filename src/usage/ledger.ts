/**
 * The ledger: every request is reserved before work begins, checkpointed at least once a second while it runs, and
 * settled exactly once. May import `store`, `config` and `base`. Promises that nothing is counted that was not handed over,
 * or is not about to be as the end of the answer; and that after a crash at most one second of it is missing, and nothing of
 * an answer whose end was received.
 */
import type { Outcome, ReplayRecord, RequestCounts, ReservationRecord } from '../store/ledger-contract.ts'

export type Ending = {
  outcome: Outcome
  finishReason: string | null
  /** Name in the catalogue of errors. */
  error: string | null
  queueMs: number | null
  firstTokenMs: number | null
  durationMs: number
}

/** How far a settlement has come. Neither promise ever rejects. */
export type Settling = {
  /** It is written, however long that takes. */
  durable: Promise<void>
  /** It is written, or the first attempt has failed, as on a full disk: it is kept in memory and tried again. */
  attempted: Promise<void>
}

/** The entry of one request in the ledger. */
export interface Entry {
  /** What was handed over so far. Cheap: it is written down by the next checkpoint. */
  count(counts: RequestCounts): void
  /** Closes it at what was counted, together with the answer to keep. Only the first call counts. */
  settle(ending: Ending, replay?: ReplayRecord): Settling
}

export interface Ledger {
  /** Resolves once the reservation is durable. Throws `ledger_unavailable`, and then nothing was reserved. */
  reserve(reservation: ReservationRecord): Promise<Entry>
  /** Writes what is still to be written. */
  close(): Promise<void>
}
