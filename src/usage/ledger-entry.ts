import type { RequestCounts, ReservationRecord } from '../store/ledger-contract.ts'
import type { ReplayRecord } from '../store/replay-contract.ts'
import type { Checkpointed } from './checkpoints.ts'
import type { Ending, Entry, Settling } from './ledger-contract.ts'

type State =
  /** Its counts grow, and are checkpointed. */
  | { type: 'running' }
  /** It is settled once: whatever ends it later has no effect. */
  | { type: 'settling'; settling: Settling }

type Settle = (entry: LedgerEntry, ending: Ending, replay: ReplayRecord | undefined) => Settling

export const noCounts: RequestCounts = {
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
  isEstimated: false,
}

/** A request that is reserved. */
export class LedgerEntry implements Entry, Checkpointed {
  readonly requestId: string
  readonly reservation: ReservationRecord
  readonly counts: RequestCounts = { ...noCounts }
  checkpointed = noCounts
  readonly #settle: Settle
  #state: State = { type: 'running' }

  constructor(reservation: ReservationRecord, settle: Settle) {
    this.requestId = reservation.requestId
    this.reservation = reservation
    this.#settle = settle
  }

  count({ promptTokens, cachedTokens, completionTokens, reasoningTokens, isEstimated = false }: RequestCounts): void {
    const { counts } = this
    counts.promptTokens = promptTokens
    counts.cachedTokens = cachedTokens
    counts.completionTokens = completionTokens
    counts.reasoningTokens = reasoningTokens
    counts.isEstimated = isEstimated
  }

  settle(ending: Ending, replay?: ReplayRecord): Settling {
    if (this.#state.type === 'running') this.#state = { type: 'settling', settling: this.#settle(this, ending, replay) }
    return this.#state.settling
  }
}
