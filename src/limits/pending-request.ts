import type { Ask, Caller, PendingRequest, TokenReservation } from './limiter.ts'
import type { UsageCounters } from './usage-counters.ts'

type PendingOptions = {
  /** For whom it counts as a request in flight until it is admitted. Empty: for nobody. */
  counterSets: readonly UsageCounters[]
  /** Decides and reserves; calls `release` in the same step, so that the request does not stand in its own way. */
  admit(ask: Omit<Ask, keyof Caller>, release: () => void): Promise<TokenReservation>
  headers(): Record<string, string>
  countRefused(): void
}

/** From the precheck to the admission of one request. */
export const createPendingRequest = ({ counterSets, admit, headers, countRefused }: PendingOptions): PendingRequest => {
  let isHeld = true
  /** Admitted or refused: what comes afterwards is no refusal any more. */
  let isDecided = false
  for (const counters of counterSets) counters.entering += 1
  const release = (): void => {
    if (!isHeld) return
    isHeld = false
    for (const counters of counterSets) counters.entering -= 1
  }
  return {
    async admit(ask) {
      const reservation = await admit(ask, release)
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
