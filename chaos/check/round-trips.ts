import type { Evidence } from './evidence.ts'

/**
 * A request is reserved on the disk before its answer begins, and the store takes its writes in the order in which they
 * were made. So an answer that began shows that everything written before its request was sent is on the disk too. That is
 * how the checker knows what must have been written before a kill, however slow the machine and its disk were.
 */
export const createRoundTrips = ({ journals, ledger }: Evidence) => {
  const reserved = new Set(ledger.records.map(({ requestId }) => requestId))
  const trips = Map.groupBy(
    journals.calls.flatMap(({ life, requestId, sentAt, answeredAt }) =>
      requestId !== null && answeredAt !== null && reserved.has(requestId) ? [{ life, sentAt, answeredAt }] : [],
    ),
    ({ life }) => life,
  )
  /** When the first request that was sent after this moment got its answer; null where none did. */
  const next = (life: number, afterMs: number): number | null => {
    const later = (trips.get(life) ?? []).filter(({ sentAt }) => sentAt > afterMs)
    return later.length === 0 ? null : Math.min(...later.map(({ answeredAt }) => answeredAt))
  }
  return {
    /** What a timer had to write at this moment is on the disk: its turn comes after the first of two requests, at the latest. */
    isTimerDurable(life: number, dueAt: number): boolean {
      const first = next(life, dueAt)
      return first !== null && next(life, first) !== null
    },
  }
}
