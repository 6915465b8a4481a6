import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { LedgerRecords, ReservationRecord } from '../store/ledger-contract.ts'
import { StoreUnavailable } from '../store/store-failure.ts'
import { batchPerTurn } from './batch-per-turn.ts'
import type { SpoolFile } from './spool/spool-file.ts'
import { spoolLine } from './spool/spool-record.ts'

/**
 * Writes reservations, those of one turn together. While the database cannot be reached they are kept on the local disk, and
 * written once it can be. Those with a claim (`isClaimed`) are refused instead: if this server died, another could not see that
 * the request was executed, would execute it for the same idempotency key, and both would be billed.
 */
export interface ReservationWriter {
  /** Resolves once it is durable, in the database or on the local disk. Rejects with `StoreUnavailable` if it may be neither. */
  reserve(reservation: ReservationRecord): Promise<void>
  /** Whether it is not in the database yet. */
  isPending(requestId: string): boolean
  /** Whether the database cannot be reached. */
  readonly isAway: boolean
  /** Whether reservations are accepted while it cannot. */
  readonly acceptsWithoutStore: boolean
  readonly pendingCount: number
  /** Writes now what is pending, if it can. Never rejects. */
  retryNow(): Promise<void>
  /** Nothing is retried any more, except by `retryNow`. */
  close(): void
}

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

const retryEveryMs = 1000
const writtenAtOnce = 100

type Pending = { reservation: ReservationRecord; mayExist: boolean }

export const createReservationWriter = (options: Options): ReservationWriter => {
  const { records, clock, log, spool, maxOutageMs, onReserved, onWritten } = options
  const pending = new Map<string, Pending>()
  /** Those with a claim of a batch whose others are kept. */
  const refused = new Set<string>()
  let awaySinceMs: number | null = null
  let cancelRetry: (() => void) | null = null
  let isClosed = false
  let kept = 0

  const retryLater = (): void => {
    if (!isClosed) cancelRetry ??= clock.after(retryEveryMs, () => void retryNow())
  }

  const mayAccept = (): boolean =>
    spool !== null && !spool.isFull && clock.monotonicMs() - (awaySinceMs ?? clock.monotonicMs()) < maxOutageMs

  const keep = async (reservations: ReservationRecord[], mayExist: boolean, cause: unknown): Promise<void> => {
    if (awaySinceMs === null) {
      awaySinceMs = clock.monotonicMs()
      kept = 0
      if (mayAccept()) log.warn('ledger_spooling', { cause: cause instanceof Error ? cause.message : String(cause) })
    }
    retryLater()
    if (spool === null || !mayAccept()) throw cause
    const [unclaimed, claimed] = reservations.reduce<[ReservationRecord[], ReservationRecord[]]>(byClaim, [[], []])
    for (const reservation of unclaimed) pending.set(reservation.requestId, { reservation, mayExist })
    kept += unclaimed.length
    try {
      if (unclaimed.length > 0)
        await spool.append(unclaimed.map((reservation) => spoolLine({ kind: 'reservation', reservation })))
    } catch (error) {
      for (const { requestId } of unclaimed) pending.delete(requestId)
      // The database may have them, as above.
      throw new StoreUnavailable('Neither the database nor the local disk could be written.', { cause: error })
    }
    for (const { requestId } of claimed) refused.add(requestId)
  }

  const write = async (reservations: ReservationRecord[]): Promise<void> => {
    if (awaySinceMs !== null) return keep(reservations, false, new StoreUnavailable('The database cannot be reached.'))
    try {
      await records.reserve(reservations)
    } catch (error) {
      if (spool === null || !(error instanceof StoreUnavailable)) throw error
      // The connection was lost: the database may have them or not.
      await keep(reservations, true, error)
    }
  }

  let retrying: Promise<void> | null = null
  const retryNow = (): Promise<void> => {
    cancelRetry?.()
    cancelRetry = null
    retrying ??= retry().finally(() => {
      retrying = null
    })
    return retrying
  }
  const retry = async (): Promise<void> => {
    try {
      await writePending()
      awaySinceMs = null
      if (kept > 0) log.info('ledger_spool_written', { requests: kept })
      onWritten()
    } catch {
      retryLater()
    }
  }

  /** Until none are left: more may come while these are written. Throws if the database still cannot be reached. */
  const writePending = async (): Promise<void> => {
    do {
      const [doubtful, others] = [...pending.values()].reduce<[Pending[], Pending[]]>(byDoubt, [[], []])
      for (const { reservation } of doubtful) {
        if ((await records.find(reservation.requestId)) === null) await records.reserve([reservation])
        pending.delete(reservation.requestId)
        await onReserved([reservation.requestId])
      }
      for (let from = 0; from < others.length; from += writtenAtOnce) {
        const some = others.slice(from, from + writtenAtOnce)
        // Should the connection be lost again, they may have been written.
        for (const one of some) one.mayExist = true
        await records.reserve(some.map(({ reservation }) => reservation))
        const ids = some.map(({ reservation }) => reservation.requestId)
        for (const id of ids) pending.delete(id)
        await onReserved(ids)
      }
      if (doubtful.length + others.length === 0) await records.find('')
    } while (pending.size > 0)
  }

  const writeSoon = batchPerTurn(write)

  return {
    async reserve(reservation) {
      await writeSoon(reservation)
      if (refused.delete(reservation.requestId))
        throw new StoreUnavailable('The database could not be reached for a request with an idempotency key.')
    },
    isPending: (requestId) => pending.has(requestId),
    get isAway() {
      return awaySinceMs !== null
    },
    get acceptsWithoutStore() {
      return mayAccept()
    },
    get pendingCount() {
      return pending.size
    },
    retryNow: async () => (awaySinceMs === null ? undefined : retryNow()),
    close() {
      isClosed = true
      cancelRetry?.()
      cancelRetry = null
    },
  }
}

const byClaim = (
  [unclaimed, claimed]: [ReservationRecord[], ReservationRecord[]],
  one: ReservationRecord,
): [ReservationRecord[], ReservationRecord[]] => {
  ;(one.isClaimed === true ? claimed : unclaimed).push(one)
  return [unclaimed, claimed]
}

const byDoubt = ([doubtful, others]: [Pending[], Pending[]], one: Pending): [Pending[], Pending[]] => {
  ;(one.mayExist ? doubtful : others).push(one)
  return [doubtful, others]
}
