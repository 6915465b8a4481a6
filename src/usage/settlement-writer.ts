import type { Clock } from '../base/clock.ts'
import { createLiveList } from '../base/live-list.ts'
import type { LedgerRecords, ReplayRecord, Settlement } from '../store/ledger-contract.ts'
import { StoreUnavailable } from '../store/store-failure.ts'
import { batchPerTurn } from './batch-per-turn.ts'
import type { Settling } from './ledger-contract.ts'
import type { ReservationWriter } from './reservation-writer.ts'
import type { SpoolFile } from './spool/spool-file.ts'
import { spoolLine } from './spool/spool-record.ts'
import type { WriteWatch } from './write-watch.ts'

/**
 * Writes settlements, those of one turn together. Those that cannot be written are kept, in the spool as well if there is
 * one, and retried until they can.
 */
export interface SettlementWriter {
  add(settlement: Settlement, replay: ReplayRecord | undefined): Settling
  /** The reservations of these have been written: so are their settlements now, if there are any. Never rejects. */
  writeWaiting(requestIds: readonly string[]): Promise<void>
  /** Those of the spool that are not in the database yet. */
  readonly spooledCount: number
  /** Writes now what is kept, if it can. Resolves to the number that could not be written; never rejects. */
  retryNow(): Promise<number>
  /** Nothing is retried any more, except by `retryNow`. What is added is still written, once. */
  close(): void
}

type Kept = {
  settlement: Settlement
  replay: ReplayRecord | undefined
  isSpooled: boolean
  resolve: () => void
}
type SettlementWriterOptions = {
  records: Pick<LedgerRecords, 'settle'>
  reservations: Pick<ReservationWriter, 'isPending' | 'isAway'>
  spool: SpoolFile | null
  clock: Clock
  watch: WriteWatch
  /** Called when none is kept any more. */
  onWritten(): void
}

const retryEveryMs = 1000
const retriedAtOnce = 100

export const openSettlementWriter = (options: SettlementWriterOptions): SettlementWriter => {
  const { records, reservations, spool, clock, watch, onWritten } = options
  let kept: Kept[] = []
  let spooled = 0
  const writing = createLiveList<Promise<void>>()
  /** A settlement without its reservation would have no effect. */
  const isWaiting = ({ requestId }: Settlement): boolean => reservations.isAway || reservations.isPending(requestId)
  let cancelRetry: (() => void) | null = null
  let isClosed = false

  const retryLater = (): void => {
    if (!isClosed) cancelRetry ??= clock.after(retryEveryMs, () => void retry())
  }
  const keep = async (items: readonly Kept[]): Promise<void> => {
    kept.push(...items)
    retryLater()
    const unspooled = items.filter(({ isSpooled }) => !isSpooled)
    if (spool === null || unspooled.length === 0) return
    for (const item of unspooled) item.isSpooled = true
    spooled += unspooled.length
    try {
      await spool.append(
        unspooled.map(({ settlement, replay = null }) => spoolLine({ kind: 'settlement', settlement, replay })),
      )
    } catch (error) {
      // They are still kept in memory.
      watch.failed('spool', error)
    }
  }

  const settle = async (items: readonly Kept[]): Promise<void> => {
    await records.settle(
      items.map(({ settlement }) => settlement),
      items.flatMap(({ replay }) => replay ?? []),
    )
    for (const { isSpooled, resolve } of items) {
      if (isSpooled) spooled -= 1
      resolve()
    }
  }
  const write = async (all: readonly Kept[]): Promise<void> => {
    const waiting = all.filter(({ settlement }) => isWaiting(settlement))
    if (waiting.length > 0) await keep(waiting)
    const items = waiting.length === 0 ? all : all.filter(({ settlement }) => !isWaiting(settlement))
    if (items.length === 0) return
    try {
      await settle(items)
    } catch (error) {
      watch.failed('settlements', error)
      await keep(items)
    }
  }
  const track = (work: Promise<void>): Promise<void> => {
    return work.finally(writing.add(work))
  }
  const retry = async (): Promise<void> => {
    cancelRetry?.()
    cancelRetry = null
    const ready = kept.filter(({ settlement }) => !isWaiting(settlement))
    kept = kept.filter(({ settlement }) => isWaiting(settlement))
    if (kept.length > 0) retryLater()
    for (let from = 0; from < ready.length; from += retriedAtOnce)
      await track(writeAgain(ready.slice(from, from + retriedAtOnce)))
    if (kept.length > 0) return
    watch.succeeded('settlements')
    onWritten()
  }
  /** If that fails, one by one: a single one that the store refuses must not delay the others. */
  const writeAgain = async (items: readonly Kept[]): Promise<void> => {
    try {
      await settle(items)
    } catch (error) {
      if (error instanceof StoreUnavailable) await keep(items)
      else await Promise.all(items.map((item) => write([item])))
    }
  }
  const addSoon = batchPerTurn((items: Kept[]) => write(items))
  let newestBatch: Promise<void> | null = null

  return {
    add(settlement, replay) {
      const { promise: durable, resolve } = Promise.withResolvers<void>()
      const attempted = addSoon({ settlement, replay, isSpooled: false, resolve })
      if (attempted !== newestBatch) void track(attempted)
      newestBatch = attempted
      return { durable, attempted }
    },
    async writeWaiting(requestIds) {
      const wanted = new Set(requestIds)
      const ready = kept.filter(({ settlement }) => wanted.has(settlement.requestId))
      if (ready.length === 0) return
      kept = kept.filter(({ settlement }) => !wanted.has(settlement.requestId))
      await track(writeAgain(ready))
    },
    get spooledCount() {
      return spooled
    },
    async retryNow() {
      while (writing.size > 0) await Promise.all(writing.items())
      if (kept.length > 0) await retry()
      return kept.length
    },
    close() {
      isClosed = true
      cancelRetry?.()
      cancelRetry = null
    },
  }
}
