import type { Evidence } from './evidence.ts'

/**
 * A request is reserved on disk before its answer begins, and the store performs its writes in order. So an answer that
 * has begun proves that everything written before its request was sent is also on disk. This tells the checker which
 * writes must precede a kill, however slow the machine and its disk are.
 */
export const createRoundTrips = ({ journals, ledger }: Evidence) => {
  const reserved = new Set(ledger.records.map(({ requestId }) => requestId))
  const trips = Map.groupBy(
    journals.calls.flatMap(({ life, requestId, sentAt, answeredAt }) =>
      requestId !== null && answeredAt !== null && reserved.has(requestId) ? [{ life, sentAt, answeredAt }] : [],
    ),
    ({ life }) => life,
  )
  /** When the first request sent after this moment got its answer; null if none did. */
  const next = (life: number, afterMs: number): number | null => {
    const later = (trips.get(life) ?? []).filter(({ sentAt }) => sentAt > afterMs)
    return later.length === 0 ? null : Math.min(...later.map(({ answeredAt }) => answeredAt))
  }
  return {
    /** Whether a timer's write due at this moment is on disk: it runs after the first of two requests at the latest. */
    isTimerDurable(life: number, dueAt: number): boolean {
      const first = next(life, dueAt)
      return first !== null && next(life, first) !== null
    },
  }
}
