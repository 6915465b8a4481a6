import type { Clock } from './clock.ts'
import { createFairQueue } from './fair-queue.ts'

/**
 * Work that comes in many slices, such as reading long bodies, does one slice at a time, whatever it belongs to: side by side,
 * the slices of a dozen requests delay everything else by milliseconds. Tenants are served in turn, however much work each of
 * them has, and all of them together have a third of the time: a short request passes through the event loop several times,
 * and would otherwise wait for a slice each time. A tenant that goes on for longer has an eighth of the time, so that one
 * alone cannot use up the third.
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
  const waiting = createFairQueue<{ tenant: string; resume: () => void }>()
  const shares = createShares()
  let isScheduled = false
  let restsUntilMs = Number.NEGATIVE_INFINITY
  /** When the first of the tenants that have used up their shares may go on. */
  let shareDueMs = Number.POSITIVE_INFINITY

  const schedule = (): void => {
    if (isScheduled || waiting.size === 0) return
    isScheduled = true
    const restMs = restsUntilMs - nowMs()
    if (restMs < shortestRestMs) nextTurn(run)
    else after(restMs, run)
  }
  const run = (): void => {
    const startedMs = nowMs()
    let soonestMs = Number.POSITIVE_INFINITY
    const next = waiting.take((tenant) => {
      const waitMs = shares.waitMs(tenant, startedMs)
      soonestMs = Math.min(soonestMs, waitMs)
      return waitMs > 0 ? Number.POSITIVE_INFINITY : 0
    })
    if (next === undefined) {
      isScheduled = false
      waitForShare(startedMs, soonestMs)
      return
    }
    next.resume()
    // What a slice starts is done by then: promises and what was read from a socket.
    nextTurn(() => {
      const endedMs = nowMs()
      const tookMs = Math.min(endedMs - startedMs, maxSliceMs)
      restsUntilMs = Math.max(restsUntilMs, startedMs) + tookMs * (1 + restTimes)
      shares.spend(next.tenant, tookMs, endedMs)
      isScheduled = false
      schedule()
    })
  }
  /** A tenant that has not used up its share can come at any time, and does not wait for this. */
  const waitForShare = (atMs: number, waitMs: number): void => {
    const dueMs = atMs + Math.max(waitMs, shortestRestMs)
    if (waiting.size === 0 || dueMs >= shareDueMs) return
    shareDueMs = dueMs
    after(dueMs - atMs, () => {
      shareDueMs = Number.POSITIVE_INFINITY
      schedule()
    })
  }
  return {
    wait(tenant, resume) {
      waiting.add(tenant, { tenant, resume })
      schedule()
    },
  }
}

/** Of the time, for one tenant whose work goes on. */
const ownShare = 1 / 8
/** A tenant may use this much at once: two bodies of 4 MB take less, with sending them on. */
const ownBurstMs = 50
/** A slice takes less. The rest of a turn was work of others. */
const maxSpentMs = 1

/** What tenants have left of their shares. */
const createShares = () => {
  const spent = new Map<string, { leftMs: number; atMs: number }>()
  let cleanedMs = Number.NEGATIVE_INFINITY

  const leftMs = (tenant: string, nowMs: number): number => {
    const own = spent.get(tenant)
    return own === undefined ? ownBurstMs : Math.min(ownBurstMs, own.leftMs + (nowMs - own.atMs) * ownShare)
  }
  /** Forgets tenants that have all of their shares again. */
  const clean = (nowMs: number): void => {
    if (nowMs - cleanedMs < ownBurstMs / ownShare) return
    cleanedMs = nowMs
    for (const tenant of spent.keys()) if (leftMs(tenant, nowMs) === ownBurstMs) spent.delete(tenant)
  }
  return {
    /** Zero if the tenant may go on now. */
    waitMs: (tenant: string, nowMs: number): number => Math.max(0, -leftMs(tenant, nowMs)) / ownShare,
    spend(tenant: string, tookMs: number, nowMs: number): void {
      spent.set(tenant, { leftMs: leftMs(tenant, nowMs) - Math.min(tookMs, maxSpentMs), atMs: nowMs })
      clean(nowMs)
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
