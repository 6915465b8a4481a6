/** How many requests an upstream gets at once: at most what the operator allows, fewer while it shows that these are too many. */
export interface ConcurrencyLimit {
  /** From 1 to the maximum. */
  readonly current: number
  setMax(max: number): void
  /** A request begins, with so many others. */
  start(inFlight: number): LimitedRequest
}

/** What one request shows. */
type LimitedRequest = {
  /** It showed that answers now begin far later than before. */
  slowed(): void
  answered(): void
  /** The upstream refused it, because it has too much to do. */
  refused(): void
}

const refusedFactor = 0.5
const slowFactor = 0.9
/** Only a full upstream shows how many requests it can take. */
const fullShare = 0.8
/** The queue keeps so many slots for callers that have none, so a single caller never has more requests there than the rest. */
const defaultReservedSlots = 1
/**
 * Additive increase, multiplicative decrease: refusals halve the limit, slow first tokens lower it by a tenth, and answers of a
 * full upstream raise it by one for each round. It begins at the maximum. Of the requests that began before a decrease none
 * causes another, because they say the same.
 */
export const createConcurrencyLimit = (initialMax: number, reservedSlots = defaultReservedSlots): ConcurrencyLimit => {
  let max = Math.max(1, initialMax)
  let limit = max
  let round = 0
  const lower = (factor: number, startedIn: number): void => {
    if (startedIn !== round) return
    limit = Math.max(1, limit * factor)
    round += 1
  }
  return {
    get current() {
      return Math.floor(limit)
    },
    setMax(next) {
      // One that is not lowered follows its maximum.
      limit = limit >= max ? Math.max(1, next) : Math.min(limit, Math.max(1, next))
      max = Math.max(1, next)
    },
    start(inFlight) {
      const startedIn = round
      const current = Math.floor(limit)
      const wasFull = inFlight >= fullShare * current
      const wasFullForOne = wasFull || inFlight >= Math.max(1, current - reservedSlots)
      return {
        slowed() {
          if (wasFull) lower(slowFactor, startedIn)
        },
        answered() {
          if (wasFullForOne) limit = Math.min(max, limit + 1 / limit)
        },
        refused: () => lower(refusedFactor, startedIn),
      }
    },
  }
}
