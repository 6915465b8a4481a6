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
  /** Its answer began after this time. */
  began(firstTokenMs: number): void
  answered(): void
  /** The upstream refused it, because it has too much to do. */
  refused(): void
}

const refusedFactor = 0.5
const slowFactor = 0.9
/** Only a full upstream shows how many requests it can take. */
const fullShare = 0.8
/** The time to the first token depends on the prompt too, so only a large difference counts. */
const slowTimes = 4
const slowMoreMs = 1000
const smoothing = 0.2
/** The shortest time grows with every answer, or an upstream that has become slower would never be believed. */
const baselineGrowth = 1.01

/**
 * Additive increase, multiplicative decrease: refusals halve the limit, slow first tokens lower it by a tenth, and answers of a
 * full upstream raise it by one for each round. It begins at the maximum. Of the requests that began before a decrease none
 * causes another, because they say the same.
 */
export const createConcurrencyLimit = (initialMax: number): ConcurrencyLimit => {
  let max = Math.max(1, initialMax)
  let limit = max
  let round = 0
  let usualMs: number | null = null
  let shortestMs = Number.POSITIVE_INFINITY
  const lower = (factor: number, startedIn: number): void => {
    if (startedIn !== round) return
    limit = Math.max(1, limit * factor)
    round += 1
  }
  const noteFirstToken = (ms: number): boolean => {
    usualMs = usualMs === null ? ms : usualMs + smoothing * (ms - usualMs)
    shortestMs = Math.min(usualMs, shortestMs * baselineGrowth)
    return usualMs > slowTimes * shortestMs && usualMs > shortestMs + slowMoreMs
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
      const wasFull = inFlight >= fullShare * Math.floor(limit)
      return {
        began(firstTokenMs) {
          if (noteFirstToken(firstTokenMs) && wasFull) lower(slowFactor, startedIn)
        },
        answered() {
          if (wasFull) limit = Math.min(max, limit + 1 / limit)
        },
        refused: () => lower(refusedFactor, startedIn),
      }
    },
  }
}
