import type { Clock } from '../../base/clock.ts'
import type { StoreCalls } from './store-calls.ts'

/** Called with the name of each operation that has ended, however it ended, and the time that it took. */
export type OnStoreCall = (name: string, durationMs: number) => void

/** The same calls, with their durations, in which they may have waited for others. */
export const timedCalls = (calls: StoreCalls, clock: Clock, onCall: OnStoreCall | undefined): StoreCalls => {
  if (onCall === undefined) return calls
  return {
    call(name, ...args) {
      const startedMs = clock.monotonicMs()
      const result = calls.call(name, ...args)
      const ended = (): void => onCall(name, clock.monotonicMs() - startedMs)
      result.then(ended, ended)
      return result
    },
  }
}
