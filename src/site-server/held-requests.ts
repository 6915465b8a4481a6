import { ApiError } from '../base/api-error.ts'
import type { Clock } from '../base/clock.ts'
import type { Exchange } from '../http/exchange.ts'

/** After this time a page says what is happening. */
const maxHoldMs = 30_000
/** Each occupies a connection. */
const maxHeld = 100

/** With this, the page that says so asks how far the build is (RFC 7240 §4.3). */
export const immediately = 'wait=0'

type HeldExchange = Pick<Exchange, 'request' | 'signal' | 'elapsedMs' | 'isHeld'>

/**
 * Requests for pages that are not built yet. Each waits for its page: the browser then shows it at the address that was opened, with
 * what follows the `#`, which no page in between could be sure to keep.
 */
export interface HeldRequests {
  /** How many requests there were for pages that were not there. */
  readonly count: number
  /** How many wait now. */
  readonly size: number
  /** Resolves with true once there may be more pages, and with false if the request has waited for long enough or must not wait. */
  hold(exchange: HeldExchange): Promise<boolean>
  /** There may be more pages, or it is clear that there will be none. */
  release(): void
  /** Ends those that are held, and later ones, with `shutting_down`. */
  close(): void
}

export const createHeldRequests = (clock: Clock): HeldRequests => {
  const held = new Set<() => void>()
  let count = 0
  let isClosed = false
  const release = (): void => {
    for (const wake of held) wake()
  }
  const refuseIfClosed = (): void => {
    if (isClosed) throw ApiError.of('shutting_down', {}, { retryAfterMs: 1000 })
  }
  return {
    get count() {
      return count
    },
    get size() {
      return held.size
    },
    async hold(exchange) {
      refuseIfClosed()
      const { request, signal, elapsedMs } = exchange
      if (exchange.isHeld !== true) count += 1
      exchange.isHeld = true
      const leftMs = maxHoldMs - elapsedMs()
      if (leftMs <= 0 || held.size >= maxHeld || request.headers.prefer === immediately) return false
      const woken = Promise.withResolvers<boolean>()
      const wake = (): void => woken.resolve(true)
      const cancelWait = clock.after(leftMs, () => woken.resolve(false))
      const leave = (): void => woken.reject(signal.reason)
      signal.addEventListener('abort', leave)
      held.add(wake)
      try {
        signal.throwIfAborted()
        const isChanged = await woken.promise
        refuseIfClosed()
        return isChanged
      } finally {
        held.delete(wake)
        cancelWait()
        signal.removeEventListener('abort', leave)
      }
    },
    release,
    close() {
      isClosed = true
      release()
    },
  }
}
