import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { ErrorName } from '../base/error-catalogue.ts'
import { createLiveList } from '../base/live-list.ts'
import type { Log } from '../base/log.ts'
import { computeCostMicros } from '../prices/compute-cost.ts'
import type { LedgerRecords, ReservationRecord, Settlement } from '../store/ledger-contract.ts'
import { StoreUnavailable } from '../store/store-failure.ts'
import { Checkpoints } from './checkpoints.ts'
import type { OnCorrected } from './correct-guess.ts'
import type { Ending, Entry, Ledger } from './ledger-contract.ts'
import { LedgerEntry, noCounts } from './ledger-entry.ts'
import { ReservationWriter } from './reservation-writer.ts'
import { SettlementWriter } from './settlement-writer.ts'
import type { SpoolFile } from './spool/spool-file.ts'
import { measureTimedMs } from './timed-tokens.ts'
import { createWriteWatch } from './write-watch.ts'

export type OnSettled = (model: string, settlement: Settlement) => void

type RunningLedgerOptions = {
  records: Pick<LedgerRecords, 'reserve' | 'checkpoint' | 'settle' | 'find' | 'replaceGuess'>
  clock: Clock
  today(): number
  log: Log
  spool: SpoolFile | null
  maxOutageMs: number
  onWritten: ((organisationId: string) => void) | undefined
  /** See `openLedger`. */
  onSettled?: OnSettled | undefined
  onCorrected?: OnCorrected | undefined
  /** See `Checkpoints`. */
  beforeCheckpoint?: (() => void) | undefined
}

type State =
  | { type: 'open' }
  /** The server stops. Requests whose connections are closed end by themselves within a few turns. */
  | { type: 'ending'; onEmpty(): void }
  /** What has not ended was settled. What is left is written, for a while. */
  | { type: 'closing' }

/** While the database cannot be reached, so many are remembered. The next start settles the others. */
const maxUncertain = 1000
/** How long `close` waits for requests that are ending. */
const lastEntriesMs = 2000
/**
 * How long it tries to reach a database that may be out of reach, and how often. The local disk has everything, but that of a
 * container may not come back.
 */
const lastWritesMs = 3000
const lastRetryMs = 250

/** The ledger of a server that runs. Its parts, and what happens to a record in them, are drawn in docs/ledger.md. */
export class RunningLedger implements Ledger {
  readonly #options: RunningLedgerOptions
  readonly #running = createLiveList<LedgerEntry>()
  readonly #watch: ReturnType<typeof createWriteWatch>
  readonly #reservations: ReservationWriter
  readonly #settlements: SettlementWriter
  readonly #checkpoints: Checkpoints
  #state: State = { type: 'open' }
  /** Their reservations are being written. */
  #beginningCount = 0
  #uncertainCount = 0

  constructor(options: RunningLedgerOptions) {
    this.#options = options
    this.#watch = createWriteWatch(options.log)
    const shared = { ...options, watch: this.#watch, onWritten: () => void this.#clearSpool() }
    this.#reservations = new ReservationWriter({
      ...shared,
      onReserved: (requestIds) => this.#settlements.writeWaiting(requestIds),
    })
    this.#settlements = new SettlementWriter({ ...shared, reservations: this.#reservations })
    this.#checkpoints = new Checkpoints({ ...shared, reservations: this.#reservations, running: this.#running })
  }

  async reserve(reservation: ReservationRecord): Promise<Entry> {
    this.#beginningCount += 1
    try {
      await this.#reservations.reserve(reservation)
      this.#options.onWritten?.(reservation.organisationId)
      return this.#begin(reservation)
    } catch (error) {
      if (error instanceof StoreUnavailable) this.#settleUncertain(reservation)
      throw ApiError.of('ledger_unavailable', {}, { retryAfterMs: 1000, cause: error })
    } finally {
      this.#beginningCount -= 1
      this.#notifyIfEmpty()
    }
  }

  get acceptsWithoutStore(): boolean {
    return this.#reservations.acceptsWithoutStore
  }

  get unwritten(): number {
    return this.#reservations.pendingCount + this.#settlements.keptCount
  }

  get lagMs(): number {
    const oldestAt = Math.min(this.#reservations.oldestPendingAt, this.#settlements.oldestKeptAt)
    return Number.isFinite(oldestAt) ? Math.max(0, this.#options.clock.now() - oldestAt) : 0
  }

  async close(): Promise<void> {
    const { clock, log, spool } = this.#options
    await this.#allEnded()
    for (const entry of this.#running.items())
      entry.settle(failedWith('shutting_down', clock.now() - entry.reservation.createdAt))
    this.#state = { type: 'closing' }
    this.#checkpoints.stop()
    this.#reservations.close()
    this.#settlements.close()
    const unsettled = await this.#writeLast()
    if (unsettled > 0) log.error('ledger_unsettled', { requests: unsettled })
    await spool?.close()
  }

  #begin(reservation: ReservationRecord): Entry {
    const { clock, today, onWritten, onSettled } = this.#options
    const entry = new LedgerEntry(reservation, ({ requestId, counts }, ending, replay) => {
      leave()
      this.#notifyIfEmpty()
      const { organisationId, price } = reservation
      // At the price of the reservation, whatever it is now.
      const costMicros = price === null ? null : computeCostMicros(counts, price)
      const timedMs = measureTimedMs(reservation, counts, ending)
      const timed = timedMs === null ? {} : { timedMs }
      const settled = { requestId, ...counts, costMicros, ...ending, ...timed, endedAt: clock.now(), day: today() }
      onSettled?.(reservation.model, settled)
      const settling = this.#settlements.add(settled, replay)
      if (onWritten !== undefined) void settling.durable.then(() => onWritten(organisationId))
      return settling
    })
    const leave = this.#running.add(entry)
    this.#checkpoints.start()
    return entry
  }

  /**
   * The connection to the database was lost: it may have the reservation or not. If it has, the request must not stay open
   * there; if not, nothing happens.
   */
  #settleUncertain({ requestId, price, createdAt }: ReservationRecord): void {
    const { clock, today } = this.#options
    if (this.#uncertainCount >= maxUncertain) return
    this.#uncertainCount += 1
    const costMicros = price === null ? null : 0
    const ending = failedWith('ledger_unavailable', clock.now() - createdAt)
    const settled = { requestId, ...noCounts, costMicros, ...ending, endedAt: clock.now(), day: today() }
    void this.#settlements.add(settled, undefined).durable.then(() => {
      this.#uncertainCount -= 1
    })
  }

  get #isSpoolNeeded(): boolean {
    return this.#reservations.pendingCount + this.#settlements.spooledCount > 0
  }

  async #clearSpool(): Promise<void> {
    const { spool } = this.#options
    if (spool === null || this.#isSpoolNeeded) return
    this.#checkpoints.writeAgain()
    await spool.clear(() => this.#isSpoolNeeded).catch((error: unknown) => this.#watch.failed('spool', error))
  }

  get #isEmpty(): boolean {
    return this.#running.size + this.#beginningCount === 0
  }

  #notifyIfEmpty(): void {
    if (this.#isEmpty && this.#state.type === 'ending') this.#state.onEmpty()
  }

  #allEnded(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isEmpty) return resolve()
      const cancel = this.#options.clock.after(lastEntriesMs, resolve)
      const onEmpty = (): void => {
        cancel()
        resolve()
      }
      this.#state = { type: 'ending', onEmpty }
    })
  }

  /** Resolves to the number of requests that remain unsettled. */
  async #writeLast(): Promise<number> {
    const { clock, spool } = this.#options
    const untilMs = clock.monotonicMs() + lastWritesMs
    for (;;) {
      if (this.#isSpoolNeeded) await this.#reservations.retryNow()
      const unsettled = await this.#settlements.retryNow()
      if (unsettled === 0 || spool === null || clock.monotonicMs() >= untilMs) return unsettled
      await new Promise<void>((resolve) => clock.after(lastRetryMs, resolve))
    }
  }
}

const failedWith = (error: ErrorName, durationMs: number): Ending => ({
  outcome: 'failed',
  finishReason: null,
  error,
  queueMs: null,
  firstTokenMs: null,
  durationMs: Math.max(0, durationMs),
})
