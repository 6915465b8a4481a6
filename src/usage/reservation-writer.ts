import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { SingleTimer } from '../base/single-timer.ts'
import type { LedgerRecords, ReservationRecord } from '../store/ledger-contract.ts'
import { StoreUnavailable } from '../store/store-failure.ts'
import { batchPerTurn } from './batch-per-turn.ts'
import type { SpoolFile } from './spool/spool-file.ts'
import { spoolLine } from './spool/spool-record.ts'

type Options = {
  records: Pick<LedgerRecords, 'reserve' | 'find'>
  clock: Clock
  log: Log
  /** Null: a database that cannot be reached is an error at once. */
  spool: SpoolFile | null
  /** After this time without the database no more are accepted. */
  maxOutageMs: number
  /**
   * The database has these now. What is known of them is to be written before anything else: should this server be paused or
   * die in between, others would settle them as far as the database knows, which is not at all.
   */
  onReserved(requestIds: readonly string[]): Promise<void>
  /** Called when nothing is pending any more. */
  onWritten(): void
}

type Outage = { readonly sinceMs: number; keptCount: number }

/** Whether the database can be reached, as far as it is known here. docs/ledger.md draws it. */
type StoreState =
  /** Reservations are written to it. */
  | { type: 'reachable' }
  /** Reservations are kept on the local disk, until the database is tried again. */
  | { type: 'away'; outage: Outage }
  /** What is pending is written to it. New reservations are still kept. */
  | { type: 'retrying'; outage: Outage; done: Promise<void> }

/** A reservation that is on the local disk. */
type Pending = {
  readonly reservation: ReservationRecord
  /** Uncertain: the connection was lost while it was written, so the database may have it. */
  state: 'unwritten' | 'uncertain'
}

const retryEveryMs = 1000
const writtenAtOnce = 100

/**
 * Writes reservations, those of one turn together. While the database cannot be reached they are kept on the local disk, and
 * written once it can be. Those with a claim (`isClaimed`) are refused instead: if this server died, another could not see that
 * the request was executed, would execute it for the same idempotency key, and both would be billed.
 */
export class ReservationWriter {
  readonly #options: Options
  readonly #pending = new Map<string, Pending>()
  /** Those with a claim of a batch whose others are kept. */
  readonly #refused = new Set<string>()
  readonly #retryTimer: SingleTimer
  readonly #writeSoon = batchPerTurn((reservations: ReservationRecord[]) => this.#write(reservations))
  #state: StoreState = { type: 'reachable' }

  constructor(options: Options) {
    this.#options = options
    this.#retryTimer = new SingleTimer(options.clock, retryEveryMs, () => void this.retryNow())
  }

  /** Resolves once it is durable, in the database or on the local disk. Rejects with `StoreUnavailable` if it may be neither. */
  async reserve(reservation: ReservationRecord): Promise<void> {
    await this.#writeSoon(reservation)
    if (this.#refused.delete(reservation.requestId))
      throw new StoreUnavailable('The database could not be reached for a request with an idempotency key.')
  }

  /** Whether it is not in the database yet. */
  isPending(requestId: string): boolean {
    return this.#pending.has(requestId)
  }

  get pendingCount(): number {
    return this.#pending.size
  }

  /** When the oldest of them was made; infinite if there is none. */
  get oldestPendingAt(): number {
    return this.#pending.values().reduce((oldest, { reservation }) => Math.min(oldest, reservation.createdAt), Infinity)
  }

  /** Whether the database cannot be reached. */
  get isAway(): boolean {
    return this.#state.type !== 'reachable'
  }

  /** Whether reservations are accepted while it cannot. */
  get acceptsWithoutStore(): boolean {
    const { clock, spool, maxOutageMs } = this.#options
    const outageMs = this.#state.type === 'reachable' ? 0 : clock.monotonicMs() - this.#state.outage.sinceMs
    return spool !== null && !spool.isFull && outageMs < maxOutageMs
  }

  /** Writes now what is pending, if it can. Never rejects. */
  async retryNow(): Promise<void> {
    if (this.#state.type === 'away') {
      const { outage } = this.#state
      this.#retryTimer.cancel()
      this.#state = { type: 'retrying', outage, done: this.#retry(outage) }
    }
    if (this.#state.type === 'retrying') await this.#state.done
  }

  /** Nothing is retried any more, except by `retryNow`. */
  close(): void {
    this.#retryTimer.close()
  }

  async #write(reservations: ReservationRecord[]): Promise<void> {
    const { records, spool } = this.#options
    if (this.isAway)
      return this.#keep(reservations, 'unwritten', new StoreUnavailable('The database cannot be reached.'))
    try {
      await records.reserve(reservations)
    } catch (error) {
      if (spool === null || !(error instanceof StoreUnavailable)) throw error
      await this.#keep(reservations, 'uncertain', error)
    }
  }

  async #keep(reservations: ReservationRecord[], state: Pending['state'], cause: unknown): Promise<void> {
    const { spool } = this.#options
    const outage = this.#noteOutage(cause)
    if (spool === null || !this.acceptsWithoutStore) throw cause
    const unclaimed = reservations.filter(({ isClaimed }) => isClaimed !== true)
    for (const reservation of unclaimed) this.#pending.set(reservation.requestId, { reservation, state })
    outage.keptCount += unclaimed.length
    try {
      if (unclaimed.length > 0)
        await spool.append(unclaimed.map((reservation) => spoolLine({ kind: 'reservation', reservation })))
    } catch (error) {
      for (const { requestId } of unclaimed) this.#pending.delete(requestId)
      // The database may have them, if they are uncertain.
      throw new StoreUnavailable('Neither the database nor the local disk could be written.', { cause: error })
    }
    for (const { requestId, isClaimed } of reservations) if (isClaimed === true) this.#refused.add(requestId)
  }

  #noteOutage(cause: unknown): Outage {
    const { clock, log } = this.#options
    if (this.#state.type !== 'reachable') return this.#state.outage
    const outage = { sinceMs: clock.monotonicMs(), keptCount: 0 }
    this.#state = { type: 'away', outage }
    this.#retryTimer.start()
    if (this.acceptsWithoutStore)
      log.warn('ledger_spooling', { cause: cause instanceof Error ? cause.message : String(cause) })
    return outage
  }

  /** While it writes, more may be kept: it ends when none are, in one step with what follows from that. */
  async #retry(outage: Outage): Promise<void> {
    const { log, onWritten } = this.#options
    try {
      do await this.#writePending()
      while (this.#pending.size > 0)
    } catch {
      this.#state = { type: 'away', outage }
      this.#retryTimer.start()
      return
    }
    this.#state = { type: 'reachable' }
    if (outage.keptCount > 0) log.info('ledger_spool_written', { requests: outage.keptCount })
    onWritten()
  }

  /** Throws if the database still cannot be reached. */
  async #writePending(): Promise<void> {
    const { records } = this.#options
    const all = [...this.#pending.values()]
    // Without any, something has to ask the database whether it answers.
    if (all.length === 0) await records.find('')
    for (const { reservation } of all.filter(({ state }) => state === 'uncertain')) {
      if ((await records.find(reservation.requestId)) === null) await records.reserve([reservation])
      await this.#written([reservation])
    }
    const unwritten = all.filter(({ state }) => state === 'unwritten')
    for (let from = 0; from < unwritten.length; from += writtenAtOnce) {
      const some = unwritten.slice(from, from + writtenAtOnce)
      // Should the connection be lost again, they may have been written.
      for (const one of some) one.state = 'uncertain'
      const reservations = some.map(({ reservation }) => reservation)
      await records.reserve(reservations)
      await this.#written(reservations)
    }
  }

  async #written(reservations: readonly ReservationRecord[]): Promise<void> {
    const ids = reservations.map(({ requestId }) => requestId)
    for (const id of ids) this.#pending.delete(id)
    await this.#options.onReserved(ids)
  }
}
