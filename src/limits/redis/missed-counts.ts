import { addToWindow, createSlidingWindow, type SlidingWindow, windowTotal } from '../sliding-window.ts'
import { missedArguments } from './scripts/arguments.ts'

type Windows = { requests: SlidingWindow; settled: SlidingWindow; refused: SlidingWindow }
/** What the ledger has of one day. */
type Written = { id: string; day: number; requests: number; tokens: number; micros: number }

const none = { requests: 0, settled: 0, refused: 0, writtenRequests: 0, writtenTokens: 0, writtenMicros: 0 }

export type MissedCounts = ReturnType<typeof createMissedCounts>

/**
 * What was counted while Redis was away, and changes that it may not have received. They are added when Redis returns.
 */
export const createMissedCounts = () => {
  const windows = new Map<string, Windows>()
  const written = new Map<string, Written>()
  const findWindows = (id: string): Windows => {
    const known = windows.get(id)
    if (known !== undefined) return known
    const created = { requests: createSlidingWindow(), settled: createSlidingWindow(), refused: createSlidingWindow() }
    windows.set(id, created)
    return created
  }
  const missed = {
    add(ids: readonly string[], name: keyof Windows, amount: number, nowMs: number): void {
      for (const id of ids) addToWindow(findWindows(id)[name], nowMs, amount)
    },
    addWritten(ids: readonly string[], { day, requests, tokens, micros }: Omit<Written, 'id'>): void {
      for (const id of ids) {
        const known = written.get(`${id} ${day}`) ?? { id, day, requests: 0, tokens: 0, micros: 0 }
        known.requests += requests
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
        const counted = {
          requests: windowTotal(requests, nowMs),
          settled: windowTotal(settled, nowMs),
          refused: windowTotal(refused, nowMs),
        }
        const isEmpty = counted.requests === 0 && counted.settled === 0 && counted.refused === 0
        if (!isEmpty) args.push(...missedArguments.pack({ ...none, id, day: today, ...counted }))
      }
      for (const { id, day, requests, tokens, micros } of taken.written.values()) {
        const amounts = { writtenRequests: requests, writtenTokens: tokens, writtenMicros: micros }
        args.push(...missedArguments.pack({ ...none, id, day, ...amounts }))
      }
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
