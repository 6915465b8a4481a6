import type { Clock } from './clock.ts'
import { createFairQueue } from './fair-queue.ts'

/**
 * Work that comes in many slices, such as reading long bodies, does one slice at a time, whatever it belongs to: side by side,
 * the slices of a dozen requests delay everything else by milliseconds. Tenants are served in turn, however much work each of
 * them has, and all of them together have a third of the time: a short request passes through the event loop several times,
 * and would otherwise wait for a slice each time.
 */
export interface Turns {
  /** Calls `resume` once it is this tenant's turn. */
  wait(tenant: string, resume: () => void): void
}

type TurnsOptions = {
  nowMs(): number
  /** Calls it in the next turn of the event loop. */
  nextTurn(run: () => void): void
  after(ms: number, run: () => void): void
}

/** After a slice, everything else has that many times as long. */
const restTimes = 2
/** Rests add up to this: timers cannot wait for less. */
const shortestRestMs = 1
/** A turn that takes longer was not busy with a slice, but did not run. */
const maxSliceMs = 5

export const createTurns = ({ nowMs, nextTurn, after }: TurnsOptions): Turns => {
  const waiting = createFairQueue<() => void>()
  let isScheduled = false
  let restsUntilMs = Number.NEGATIVE_INFINITY

  const schedule = (): void => {
    if (isScheduled || waiting.size === 0) return
    isScheduled = true
    const restMs = restsUntilMs - nowMs()
    if (restMs < shortestRestMs) nextTurn(run)
    else after(restMs, run)
  }
  const run = (): void => {
    const startedMs = nowMs()
    waiting.take()?.()
    // What a slice starts is done by then: promises and what was read from a socket.
    nextTurn(() => {
      const tookMs = Math.min(nowMs() - startedMs, maxSliceMs)
      restsUntilMs = Math.max(restsUntilMs, startedMs) + tookMs * (1 + restTimes)
      isScheduled = false
      schedule()
    })
  }
  return {
    wait(tenant, resume) {
      waiting.add(tenant, resume)
      schedule()
    },
  }
}

/** Not on the clock of the server, which stands still in tests: nothing but the time that it takes depends on it. */
const turns = createTurns({
  nowMs: () => performance.now(),
  nextTurn: setImmediate,
  after: (ms, run) => void setTimeout(run, ms),
})

/** Calls `resume` once it is this tenant's turn. All work of this thread shares its turns. */
export const waitForTurn = turns.wait

/** More than this in so many milliseconds is no longer a model at work, but a flood. */
const floodBytes = 65_536
const floodMs = 100

/** Called with the size of each piece of a stream. Returns the wait for its turn, if the stream is a flood. */
export const createFloodTurns = (tenant: string, clock: Pick<Clock, 'monotonicMs'>) => {
  let sinceMs = Number.NEGATIVE_INFINITY
  let sum = 0
  return (bytes: number): Promise<void> | undefined => {
    const nowMs = clock.monotonicMs()
    if (nowMs - sinceMs > floodMs) {
      sinceMs = nowMs
      sum = 0
    }
    sum += bytes
    return sum > floodBytes ? new Promise((resolve) => waitForTurn(tenant, resolve)) : undefined
  }
}
