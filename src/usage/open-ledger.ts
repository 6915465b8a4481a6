import { ApiError } from '../base/api-error.ts'
import { dayOf } from '../base/calendar.ts'
import type { Clock } from '../base/clock.ts'
import type { ErrorName } from '../base/error-catalogue.ts'
import { createLiveList } from '../base/live-list.ts'
import type { Log } from '../base/log.ts'
import { costMicrosOf } from '../prices/cost-of.ts'
import type { LedgerRecords, RequestCounts, ReservationRecord } from '../store/ledger-contract.ts'
import { StoreUnavailable } from '../store/store-failure.ts'
import { type Checkpointed, createCheckpoints } from './checkpoints.ts'
import type { Ending, Entry, Ledger, Settling } from './ledger-contract.ts'
import { createReservationWriter } from './reservation-writer.ts'
import { openSettlementWriter } from './settlement-writer.ts'
import { replaySpool } from './spool/replay-spool.ts'
import { openSpoolFile } from './spool/spool-file.ts'
import { createWriteWatch } from './write-watch.ts'

type LedgerOptions = {
  records: Pick<LedgerRecords, 'reserve' | 'checkpoint' | 'settle' | 'recover' | 'find'>
  clock: Clock
  timeZone: string
  log: Log
  /** For a database that may be out of reach for a while; absent if it cannot be. */
  outage?: { spoolPath: string; maxMs: number }
  /** Something of this organisation was written: a request began or ended. */
  onWritten?(organisationId: string): void
}

type Open = Checkpointed & { readonly reservation: ReservationRecord; readonly entry: Entry }

/** While the database cannot be reached, so many are remembered. The next start settles the others. */
const maxUnknown = 1000
/** How long `close` waits for requests that are ending. */
const lastEntriesMs = 2000
/**
 * How long it tries to reach a database that may be out of reach, and how often. The local disk has everything, but that of a
 * container may not come back.
 */
const lastWritesMs = 3000
const lastRetryMs = 250

/** Settles the requests that a dead server left open, then opens the ledger for this one. */
export const openLedger = async (options: LedgerOptions): Promise<Ledger> => {
  const { records, clock, timeZone, log, outage, onWritten } = options
  const today = (): number => dayOf(clock.now(), timeZone)
  const opened = outage === undefined ? null : await openSpoolFile(outage.spoolPath)
  const spool = opened?.file ?? null
  // Before the recovery, which knows less about these requests.
  await replaySpool(opened?.left ?? [], { records, clock, today, log })
  await spool?.clear(() => false)
  const recovered = await records.recover(clock.now(), today())
  if (recovered > 0) log.warn('ledger_recovered', { requests: recovered })

  const running = createLiveList<Open>()
  const watch = createWriteWatch(log)
  const isSpoolNeeded = (): boolean => reservations.pendingCount + settlements.spooledCount > 0
  const clearSpool = async (): Promise<void> => {
    if (spool === null || isSpoolNeeded()) return
    checkpoints.writeAgain()
    await spool.clear(isSpoolNeeded).catch((error: unknown) => watch.failed('spool', error))
  }
  const reservations = createReservationWriter({
    ...{ records, clock, log, spool, maxOutageMs: outage?.maxMs ?? 0 },
    onReserved: (requestIds) => settlements.writeWaiting(requestIds),
    onWritten: () => void clearSpool(),
  })
  const settlements = openSettlementWriter({
    ...{ records, reservations, spool, clock, watch },
    onWritten: () => void clearSpool(),
  })
  const checkpoints = createCheckpoints({ records, reservations, spool, running, clock, watch })
  /** Their reservations are being written. */
  let beginning = 0
  let onEmpty = (): void => {}
  const isEmpty = (): boolean => running.size + beginning === 0

  const open = (reservation: ReservationRecord): Entry => {
    const { requestId, organisationId, price } = reservation
    const counts: RequestCounts = { ...nothing }
    let settling: Settling | null = null
    const settle: Entry['settle'] = (ending, replay) => {
      if (settling !== null) return settling
      leave()
      if (isEmpty()) onEmpty()
      // At the price of the reservation, whatever it is now.
      const costMicros = price === null ? null : costMicrosOf(counts, price)
      const settled = { requestId, ...counts, costMicros, ...ending, endedAt: clock.now(), day: today() }
      settling = settlements.add(settled, replay)
      if (onWritten !== undefined) void settling.durable.then(() => onWritten(organisationId))
      return settling
    }
    const entry: Entry = {
      count({ promptTokens, cachedTokens, completionTokens, reasoningTokens, isEstimated = false }) {
        counts.promptTokens = promptTokens
        counts.cachedTokens = cachedTokens
        counts.completionTokens = completionTokens
        counts.reasoningTokens = reasoningTokens
        counts.isEstimated = isEstimated
      },
      settle,
    }
    const one: Open = { requestId, counts, checkpointed: nothing, reservation, entry }
    const leave = running.add(one)
    checkpoints.start()
    return entry
  }

  let unknown = 0
  /**
   * The connection to the database was lost: it may have the reservation or not. If it has, the request must not stay open
   * there; if not, nothing happens.
   */
  const settleUnknown = ({ requestId, price, createdAt }: ReservationRecord): void => {
    if (unknown >= maxUnknown) return
    unknown += 1
    const costMicros = price === null ? null : 0
    const ending = failedWith('ledger_unavailable', clock.now() - createdAt)
    const settled = { requestId, ...nothing, costMicros, ...ending, endedAt: clock.now(), day: today() }
    void settlements.add(settled, undefined).durable.then(() => {
      unknown -= 1
    })
  }

  /** Requests whose connections are closed end by themselves within a few turns. */
  const allEnded = (): Promise<void> =>
    new Promise((resolve) => {
      if (isEmpty()) return resolve()
      const cancel = clock.after(lastEntriesMs, resolve)
      onEmpty = () => {
        cancel()
        resolve()
      }
    })

  /** Resolves to the number of requests that remain unsettled. */
  const writeLast = async (): Promise<number> => {
    const untilMs = clock.monotonicMs() + lastWritesMs
    for (;;) {
      if (isSpoolNeeded()) await reservations.retryNow()
      const unsettled = await settlements.retryNow()
      if (unsettled === 0 || spool === null || clock.monotonicMs() >= untilMs) return unsettled
      await new Promise<void>((resolve) => clock.after(lastRetryMs, resolve))
    }
  }

  return {
    async reserve(reservation) {
      beginning += 1
      try {
        await reservations.reserve(reservation)
        onWritten?.(reservation.organisationId)
        return open(reservation)
      } catch (error) {
        if (error instanceof StoreUnavailable) settleUnknown(reservation)
        throw ApiError.of('ledger_unavailable', {}, { retryAfterMs: 1000, cause: error })
      } finally {
        beginning -= 1
        if (isEmpty()) onEmpty()
      }
    },
    get acceptsWithoutStore() {
      return reservations.acceptsWithoutStore
    },
    async close() {
      await allEnded()
      for (const { entry, reservation } of running.items())
        entry.settle(failedWith('shutting_down', clock.now() - reservation.createdAt))
      checkpoints.stop()
      reservations.close()
      settlements.close()
      const unsettled = await writeLast()
      if (unsettled > 0) log.error('ledger_unsettled', { requests: unsettled })
      await spool?.close()
    },
  }
}

const nothing: RequestCounts = {
  promptTokens: 0,
  cachedTokens: 0,
  completionTokens: 0,
  reasoningTokens: 0,
  isEstimated: false,
}

const failedWith = (error: ErrorName, durationMs: number): Ending => ({
  outcome: 'failed',
  finishReason: null,
  error,
  queueMs: null,
  firstTokenMs: null,
  durationMs: Math.max(0, durationMs),
})
