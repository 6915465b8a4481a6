import { addToWindow, createSlidingWindow, type SlidingWindow, windowTotal } from '../sliding-window.ts'

type Windows = { requests: SlidingWindow; settled: SlidingWindow; refused: SlidingWindow }
/** What the ledger has of one day. */
type Written = { id: string; day: number; tokens: number; micros: number }

/** What was counted while Redis was away, and what it may not have heard. It is added when Redis returns. */
export const createMissedCounts = () => {
  const windows = new Map<string, Windows>()
  const written = new Map<string, Written>()
  const windowsOf = (id: string): Windows => {
    const known = windows.get(id)
    if (known !== undefined) return known
    const created = { requests: createSlidingWindow(), settled: createSlidingWindow(), refused: createSlidingWindow() }
    windows.set(id, created)
    return created
  }
  const missed = {
    add(ids: readonly string[], name: keyof Windows, amount: number, nowMs: number): void {
      for (const id of ids) addToWindow(windowsOf(id)[name], nowMs, amount)
    },
    addWritten(ids: readonly string[], { day, tokens, micros }: Omit<Written, 'id'>): void {
      for (const id of ids) {
        const known = written.get(`${id} ${day}`) ?? { id, day, tokens: 0, micros: 0 }
        known.tokens += tokens
        known.micros += micros
        written.set(`${id} ${day}`, known)
      }
    },
    /** Empties it; the returned function puts all of it back. */
    take(nowMs: number, today: number): { args: (string | number)[]; putBack(): void } {
      const taken = { windows: new Map(windows), written: new Map(written) }
      windows.clear()
      written.clear()
      const args: (string | number)[] = []
      for (const [id, { requests, settled, refused }] of taken.windows) {
        const amounts = [requests, settled, refused].map((window) => windowTotal(window, nowMs))
        if (amounts.some((amount) => amount > 0)) args.push(id, today, ...amounts, 0, 0)
      }
      for (const { id, day, tokens, micros } of taken.written.values()) args.push(id, day, 0, 0, 0, tokens, micros)
      return {
        args,
        putBack() {
          for (const [id, { requests, settled, refused }] of taken.windows) {
            missed.add([id], 'requests', windowTotal(requests, nowMs), nowMs)
            missed.add([id], 'settled', windowTotal(settled, nowMs), nowMs)
            missed.add([id], 'refused', windowTotal(refused, nowMs), nowMs)
          }
          for (const { id, ...amounts } of taken.written.values()) missed.addWritten([id], amounts)
        },
      }
    },
  }
  return missed
}
