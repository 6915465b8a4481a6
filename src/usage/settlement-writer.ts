import type { Clock } from '../base/clock.ts'
import { createLiveList } from '../base/live-list.ts'
import type { Log } from '../base/log.ts'
import { SingleTimer } from '../base/single-timer.ts'
import type { LedgerRecords, Settlement } from '../store/ledger-contract.ts'
import type { ReplayRecord } from '../store/replay-contract.ts'
import { StoreUnavailable } from '../store/store-failure.ts'
import { batchPerTurn } from './batch-per-turn.ts'
import { type Corrected, correctGuess, type OnCorrected } from './correct-guess.ts'
import type { SettlementFate, Settling } from './ledger-contract.ts'
import type { ReservationWriter } from './reservation-writer.ts'
import type { SpoolFile } from './spool/spool-file.ts'
import { spoolLine } from './spool/spool-record.ts'
import type { WriteWatch } from './write-watch.ts'

/** The life of a settlement, which docs/ledger.md draws. */
type SettlementState =
  /** It is written with the others of this turn. */
  | 'added'
  /** It is about to be written, or the answer is awaited. */
  | 'writing'
  /** It could not be written, or its reservation is not in the database yet: it will be retried. */
  | 'kept'
  | 'written'

type Item = {
  readonly settlement: Settlement
  readonly replay: ReplayRecord | undefined
  readonly resolve: (fate: SettlementFate) => void
  readonly addedAtMs: number
  state: SettlementState
  fate: SettlementFate
  /** It has a line in the spool. */
  isSpooled: boolean
  /** An attempt has failed, so that its answer may have been completed. */
  wasKept: boolean
}

type SettlementWriterOptions = {
  records: Pick<LedgerRecords, 'settle' | 'find' | 'replaceGuess'>
  reservations: Pick<ReservationWriter, 'isPending' | 'isAway'>
  spool: SpoolFile | null
  clock: Clock
  log: Log
  watch: WriteWatch
  onCorrected?: OnCorrected | undefined
  /** Called when none is kept any more. */
  onWritten(): void
}

const retryEveryMs = 1000
const retriedAtOnce = 100
/** Clients get the end of an answer after twice this time, written or not. */
const endsAnywayMs = 2500

/**
 * Writes settlements, those of one turn together. Those that cannot be written are kept, in the spool as well if there is
 * one, and retried until they can.
 */
export class SettlementWriter {
  readonly #options: SettlementWriterOptions
  readonly #kept = new Set<Item>()
  readonly #attempts = createLiveList<Promise<void>>()
  readonly #retryTimer: SingleTimer
  readonly #writeSoon = batchPerTurn((items: Item[]) => this.#write(items))
  #newestBatch: Promise<void> | null = null
  #spooledCount = 0

  constructor(options: SettlementWriterOptions) {
    this.#options = options
    this.#retryTimer = new SingleTimer(options.clock, retryEveryMs, () => void this.#retry())
  }

  add(settlement: Settlement, replay: ReplayRecord | undefined): Settling {
    const { promise: durable, resolve } = Promise.withResolvers<SettlementFate>()
    const addedAtMs = this.#options.clock.monotonicMs()
    const fresh = { state: 'added', fate: 'recorded', isSpooled: false, wasKept: false } as const
    const item: Item = { settlement, replay, resolve, addedAtMs, ...fresh }
    const attempted = this.#writeSoon(item)
    if (attempted !== this.#newestBatch) void this.#track(attempted)
    this.#newestBatch = attempted
    return { durable, attempted: attempted.then(() => item.fate) }
  }

  /** The reservations of these have been written: so are their settlements now, if there are any. Never rejects. */
  async writeWaiting(requestIds: readonly string[]): Promise<void> {
    const wanted = new Set(requestIds)
    const ready = [...this.#kept].filter(({ settlement }) => wanted.has(settlement.requestId))
    if (ready.length > 0) await this.#track(this.#writeAgain(this.#enter(ready, 'writing')))
  }

  /** Those of the spool that are not in the database yet. */
  get spooledCount(): number {
    return this.#spooledCount
  }

  /** Those that could not be written and are retried. */
  get keptCount(): number {
    return this.#kept.size
  }

  /** When the oldest of them ended; infinite if there is none. */
  get oldestKeptAt(): number {
    return this.#kept.values().reduce((oldest, { settlement }) => Math.min(oldest, settlement.endedAt), Infinity)
  }

  /** Writes now what is kept, if it can. Resolves to the number that could not be written; never rejects. */
  async retryNow(): Promise<number> {
    while (this.#attempts.size > 0) await Promise.all(this.#attempts.items())
    if (this.#kept.size > 0) await this.#retry()
    return this.#kept.size
  }

  /** Nothing is retried any more, except by `retryNow`. What is added is still written, once. */
  close(): void {
    this.#retryTimer.close()
  }

  async #write(items: readonly Item[]): Promise<void> {
    const { watch } = this.#options
    const [waiting, ready] = this.#byReservation(items)
    if (waiting.length > 0) await this.#keep(waiting)
    if (ready.length === 0) return
    try {
      await this.#settle(this.#enter(ready, 'writing'))
    } catch (error) {
      watch.failed('settlements', error)
      await this.#keep(ready)
    }
  }

  async #retry(): Promise<void> {
    const { watch, onWritten } = this.#options
    this.#retryTimer.cancel()
    const [, ready] = this.#byReservation([...this.#kept])
    this.#enter(ready, 'writing')
    if (this.#kept.size > 0) this.#retryTimer.start()
    for (let from = 0; from < ready.length; from += retriedAtOnce)
      await this.#track(this.#writeAgain(ready.slice(from, from + retriedAtOnce)))
    if (this.#kept.size > 0) return
    watch.succeeded('settlements')
    onWritten()
  }

  /** If that fails, one by one: a single one that the store refuses must not delay the others. */
  async #writeAgain(items: readonly Item[]): Promise<void> {
    try {
      await this.#settle(items)
    } catch (error) {
      if (error instanceof StoreUnavailable) await this.#keep(items)
      else await Promise.all(items.map((item) => this.#write([item])))
    }
  }

  async #settle(items: readonly Item[]): Promise<void> {
    const written = await this.#options.records.settle(
      items.map(({ settlement }) => settlement),
      items.flatMap(({ replay }) => replay ?? []),
    )
    const corrected: Corrected[] = []
    if (written < items.length) for (const item of items) item.fate = await this.#findFate(item, corrected)
    this.#enter(items, 'written')
    // After the limits were told that they are written.
    for (const one of corrected) this.#options.onCorrected?.(one)
  }

  /**
   * If fewer were written than should be, the first attempt has written them although the connection was lost, or the lease of
   * this node had ended and another has guessed from the last checkpoint. What the client may have received is billed; an answer
   * that still lacks its end is not completed.
   */
  async #findFate({ settlement, replay, addedAtMs, wasKept }: Item, corrected: Corrected[]): Promise<SettlementFate> {
    const { records, clock } = this.#options
    const found = await records.find(settlement.requestId)
    if (found?.settlement?.outcome !== 'server_died' || settlement.outcome === 'server_died') return 'recorded'
    const mayBeComplete = wasKept || clock.monotonicMs() - addedAtMs >= endsAnywayMs
    const replaced = mayBeComplete ? await correctGuess(settlement, replay, this.#options) : null
    corrected.push(replaced ?? { ...found, days: [settlement.day] })
    return replaced === null ? 'lost' : 'recorded'
  }

  async #keep(items: readonly Item[]): Promise<void> {
    const { spool, watch } = this.#options
    this.#enter(items, 'kept')
    const unspooled = items.filter(({ isSpooled }) => !isSpooled)
    if (spool === null || unspooled.length === 0) return
    for (const item of unspooled) item.isSpooled = true
    this.#spooledCount += unspooled.length
    try {
      await spool.append(
        unspooled.map(({ settlement, replay = null }) => spoolLine({ kind: 'settlement', settlement, replay })),
      )
    } catch (error) {
      // They are still kept in memory.
      watch.failed('spool', error)
    }
  }

  /** The only place where states change, with what follows from it. */
  #enter(items: readonly Item[], state: SettlementState): readonly Item[] {
    for (const item of items) {
      if (item.state === 'kept') this.#kept.delete(item)
      item.state = state
      if (state === 'kept') this.#kept.add(item)
      if (state === 'kept') item.wasKept = true
      if (state !== 'written') continue
      if (item.isSpooled) this.#spooledCount -= 1
      item.resolve(item.fate)
    }
    if (state === 'kept') this.#retryTimer.start()
    return items
  }

  /** Those whose reservations are not in the database yet, and the others: without its reservation, one would have no effect. */
  #byReservation(items: readonly Item[]): [waiting: Item[], ready: Item[]] {
    const { reservations } = this.#options
    const [waiting, ready]: [Item[], Item[]] = [[], []]
    for (const item of items) {
      const isWaiting = reservations.isAway || reservations.isPending(item.settlement.requestId)
      ;(isWaiting ? waiting : ready).push(item)
    }
    return [waiting, ready]
  }

  #track(work: Promise<void>): Promise<void> {
    return work.finally(this.#attempts.add(work))
  }
}
