import type { Clock } from '../base/clock.ts'

/**
 * The time between a signal and the end of listening, in which a load balancer notices that the server is not ready any more
 * and sends its requests elsewhere. Without a load balancer that asks, there is none.
 */
export interface ShutdownDelay {
  /** Whether the server is stopping: from the signal on. */
  readonly isStopping: boolean
  /** Somebody has asked whether the server is ready. */
  asked(): void
  /** Begins the shutdown. Null if there is no delay; otherwise resolves after it, to false if it was skipped. */
  wait(): Promise<boolean> | null
  /** Ends the delay, or the next one before it begins. False if it is over already. */
  skip(): boolean
}

type DelayOptions = { delayMs: number; clock: Clock; onBegun(): void }

/** Load balancers ask far more often. */
const askedWithinMs = 60_000

export const createShutdownDelay = ({ delayMs, clock, onBegun }: DelayOptions): ShutdownDelay => {
  let isStopping = false
  let isSkipped = false
  let askedMs: number | null = null
  let end: ((isWhole: boolean) => void) | null = null
  const isAsked = (): boolean => askedMs !== null && clock.monotonicMs() - askedMs <= askedWithinMs
  return {
    get isStopping() {
      return isStopping
    },
    asked() {
      askedMs = clock.monotonicMs()
    },
    wait() {
      isStopping = true
      if (isSkipped || delayMs === 0 || !isAsked()) return null
      onBegun()
      return new Promise((resolve) => {
        const cancel = clock.after(delayMs, () => end?.(true))
        end = (isWhole) => {
          end = null
          cancel()
          resolve(isWhole)
        }
      })
    },
    skip() {
      const isOver = isStopping && end === null
      isSkipped = true
      end?.(false)
      return !isOver
    },
  }
}
