import type { Caller, PendingRequest, TokenRequest, TokenReservation } from './limiter-contract.ts'
import { refusedCount } from './too-many-refused.ts'
import { beginRequest, type UsageCounters } from './usage-counters.ts'

type PendingOptions = {
  /** The counters in which it is in flight until it is admitted. */
  counterSets: readonly UsageCounters[]
  /** Decides and reserves; calls `release` in the same step, so that the request does not count against itself. */
  admit(request: Omit<TokenRequest, keyof Caller>, release: () => void): Promise<TokenReservation>
  headers(): Record<string, string>
  /** On the monotonic clock. */
  nowMs(): number
  countRefused(count: number): void
}

/** One request, from its precheck to its admission. */
export const createPendingRequest = (options: PendingOptions): PendingRequest => {
  const { counterSets, admit, headers, nowMs, countRefused } = options
  let isEntering = true
  /** Admitted without tokens. */
  let isRunning = false
  /** Admitted or refused: a later failure is not a refusal. */
  let isDecided = false
  for (const counters of counterSets) counters.entering += 1
  const release = (): void => {
    if (!isEntering) return
    isEntering = false
    for (const counters of counterSets) counters.entering -= 1
  }
  return {
    async admit(request) {
      const reservation = await admit(request, release)
      isDecided = true
      return reservation
    },
    admitWithoutTokens() {
      isDecided = true
      isRunning = true
      release()
      for (const counters of counterSets) beginRequest(counters, nowMs(), noTokens)
    },
    headers,
    release() {
      release()
      if (!isRunning) return
      isRunning = false
      for (const counters of counterSets) counters.running -= 1
    },
    refuse(cpuMs = 0) {
      release()
      if (isDecided) return
      isDecided = true
      countRefused(refusedCount(cpuMs))
    },
  }
}

const noTokens = { tokens: 0, costMicros: 0 }
