import type { Clock } from '../../src/base/clock.ts'

export type ManualClock = Clock & {
  /** Advances time and runs the callbacks that become due, in order. */
  advance(byMs: number): void
  /** Sets the wall clock forward or back, as an operator or a time server does; durations are unaffected. */
  set(byMs: number): void
  /** The number of pending callbacks. */
  pending(): number
  /** Resolves when a callback waits for exactly this long, so that advancing time has an effect. */
  awaited(delayMs: number): Promise<void>
}

/**
 * The start date of manual clocks: so long ago that anything they date has expired by the system's clock, on any day
 * the tests can run. A test that mixes the two fails at once, not on some later day.
 */
export const manualDay = Date.UTC(2001, 10, 15)

const latestStart = Date.UTC(2010)

/** A clock that moves only on request. */
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
