import type { Caller, PendingRequest, TokenRequest, TokenReservation } from './limiter-contract.ts'
import type { UsageCounters } from './usage-counters.ts'

type PendingOptions = {
  /** Where it counts as a request in flight until it is admitted. */
  counterSets: readonly UsageCounters[]
  /** Decides and reserves; calls `release` in the same step, so that the request does not count against itself. */
  admit(request: Omit<TokenRequest, keyof Caller>, release: () => void): Promise<TokenReservation>
  headers(): Record<string, string>
  countRefused(): void
}

/** One request, from its precheck to its admission. */
export const createPendingRequest = ({ counterSets, admit, headers, countRefused }: PendingOptions): PendingRequest => {
  let isEntering = true
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
    headers,
    release,
    refuse() {
      release()
      if (isDecided) return
      isDecided = true
      countRefused()
    },
  }
}
