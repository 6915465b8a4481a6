import type { Clock } from '../../src/base/clock.ts'

export type ManualClock = Clock & {
  /** Moves time on and calls back whatever has become due, in its order. */
  advance(byMs: number): void
  /** Sets the wall clock forward or back, as an operator or a time server does; durations do not notice. */
  set(byMs: number): void
  /** How many callbacks are waiting. */
  pending(): number
  /** Resolves when somebody waits for exactly this long: the moment at which moving time on means something. */
  awaited(delayMs: number): Promise<void>
}

/**
 * The day on which manual clocks begin: so long ago that whatever is dated by one has expired by the system's clock, on
 * every day on which the tests can run. A test that mixes the two fails at once, and not on some later day.
 */
export const manualDay = Date.UTC(2001, 10, 15)

const latestStart = Date.UTC(2010)

/** A clock that only moves when it is told to. */
export const createManualClock = (startedAt = manualDay): ManualClock => {
  if (startedAt >= latestStart)
    throw new RangeError(`${new Date(startedAt).toISOString()} is too near to the system's time: begin it before 2010`)
  let elapsedMs = 0
  let setByMs = 0
  const timers = new Set<{ dueMs: number; delayMs: number; callback: () => void }>()
  const watchers = new Set<() => void>()
  const nextDue = (untilMs: number) =>
    [...timers].filter(({ dueMs }) => dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)[0]
  return {
    now: () => startedAt + elapsedMs + setByMs,
    monotonicMs: () => elapsedMs,
    after(delayMs, callback) {
      const timer = { dueMs: elapsedMs + delayMs, delayMs, callback }
      timers.add(timer)
      for (const look of watchers) look()
      return () => timers.delete(timer)
    },
    advance(byMs) {
      const untilMs = elapsedMs + byMs
      for (let timer = nextDue(untilMs); timer !== undefined; timer = nextDue(untilMs)) {
        timers.delete(timer)
        elapsedMs = timer.dueMs
        timer.callback()
      }
      elapsedMs = untilMs
    },
    set(byMs) {
      setByMs += byMs
    },
    pending: () => timers.size,
    awaited: (delayMs) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (![...timers].some((timer) => timer.delayMs === delayMs)) return
          watchers.delete(look)
          resolve()
        }
        watchers.add(look)
        look()
      }),
  }
}
