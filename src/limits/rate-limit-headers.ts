import { goDuration } from './go-duration.ts'
import type { LimitScope } from './limiter.ts'
import type { Moment, Party } from './party.ts'
import { leavesWindowAt, windowFallsTo, windowTotal } from './sliding-window.ts'
import { minuteTokens } from './subject.ts'

/** A running request that is counted as if it had just ended. */
type Ending = { reservedTokens: number; usedTokens: number }
type Reading = { scope: LimitScope; limit: number; remaining: number; resetMs: number }

/**
 * The `x-ratelimit-*` headers: of requests and of tokens, each from where least is left, which the `scope` header names.
 * Only where something is limited.
 */
export const rateLimitHeaders = (
  parties: readonly Party[],
  at: Moment,
  ending: Ending | null = null,
): Record<string, string> => ({
  ...headersOf(
    'requests',
    narrowest(parties, (party) => readRequests(party, at)),
  ),
  ...headersOf(
    'tokens',
    narrowest(parties, (party) => readTokens(party, at, ending)),
  ),
})

const readRequests = ({ scope, limits, subject }: Party, { nowMs }: Moment): Reading | null => {
  const limit = limits.requestsPerMinute
  if (limit === null) return null
  const remaining = Math.max(0, limit - windowTotal(subject.requests, nowMs))
  return { scope, limit, remaining, resetMs: windowFallsTo(subject.requests, nowMs, 0) - nowMs }
}

const readTokens = ({ scope, limits, subject }: Party, { nowMs }: Moment, ending: Ending | null): Reading | null => {
  const limit = limits.tokensPerMinute
  if (limit === null) return null
  const givenBack = ending === null ? 0 : ending.reservedTokens - ending.usedTokens
  const remaining = Math.max(0, limit - minuteTokens(subject, nowMs) + givenBack)
  // Nobody knows when running requests end, so this is what it would be if they ended now.
  const resetAtMs = subject.running > 0 ? leavesWindowAt(nowMs) : windowFallsTo(subject.settled, nowMs, 0)
  return { scope, limit, remaining, resetMs: resetAtMs - nowMs }
}

/** Parties come with the narrowest first, so that of equals it is the one. */
const narrowest = (parties: readonly Party[], read: (party: Party) => Reading | null): Reading | null => {
  let least: Reading | null = null
  for (const party of parties) {
    const reading = read(party)
    if (reading !== null && (least === null || reading.remaining < least.remaining)) least = reading
  }
  return least
}

const headersOf = (what: 'requests' | 'tokens', reading: Reading | null): Record<string, string> =>
  reading === null
    ? {}
    : {
        [`x-ratelimit-limit-${what}`]: String(reading.limit),
        [`x-ratelimit-remaining-${what}`]: String(reading.remaining),
        [`x-ratelimit-reset-${what}`]: goDuration(reading.resetMs),
        [`x-ratelimit-scope-${what}`]: reading.scope,
      }
