import type { AppliedLimit, AppliedLimits } from '../store/ledger-contract.ts'
import { goDuration } from './go-duration.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import { leavesWindowAt, windowEmptiesAt, windowTotal } from './sliding-window.ts'
import { minuteTokens } from './usage-counters.ts'

/** A running request that is counted as if it had just ended. */
type Ending = { reservedTokens: number; usedTokens: number }
type Reading = AppliedLimit & { resetMs: number }

/**
 * The `x-ratelimit-*` headers: of requests and of tokens, each from where least is left, which the `scope` header names.
 * Only where something is limited.
 */
export const rateLimitHeaders = (
  entities: readonly LimitedEntity[],
  at: Moment,
  ending: Ending | null = null,
): Record<string, string> => {
  const requests = narrowest(entities, (entity) => readRequests(entity, at))
  const tokens = narrowest(entities, (entity) => readTokens(entity, at, ending))
  return { ...(requests === null ? {} : requestHeaders(requests)), ...(tokens === null ? {} : tokenHeaders(tokens)) }
}

/** The same limits as the headers tell, for the ledger. */
export const appliedLimits = (entities: readonly LimitedEntity[], at: Moment): AppliedLimits => ({
  requests: asApplied(narrowest(entities, (entity) => readRequests(entity, at))),
  tokens: asApplied(narrowest(entities, (entity) => readTokens(entity, at, null))),
})

const asApplied = (reading: Reading | null): AppliedLimit | null =>
  reading === null ? null : { scope: reading.scope, limit: reading.limit, remaining: reading.remaining }

const readRequests = ({ scope, limits, counters }: LimitedEntity, { nowMs }: Moment): Reading | null => {
  const limit = limits.requestsPerMinute
  if (limit === null) return null
  const remaining = Math.max(0, limit - windowTotal(counters.requests, nowMs) - counters.entering)
  return { scope, limit, remaining, resetMs: windowEmptiesAt(counters.requests, nowMs) - nowMs }
}

const readTokens = (
  { scope, limits, counters }: LimitedEntity,
  { nowMs }: Moment,
  ending: Ending | null,
): Reading | null => {
  const limit = limits.tokensPerMinute
  if (limit === null) return null
  const givenBack = ending === null ? 0 : ending.reservedTokens - ending.usedTokens
  const remaining = Math.max(0, limit - minuteTokens(counters, nowMs) + givenBack)
  // Nobody knows when running requests end, so this is what it would be if they ended now.
  const resetAtMs = counters.running > 0 ? leavesWindowAt(nowMs) : windowEmptiesAt(counters.settled, nowMs)
  return { scope, limit, remaining, resetMs: resetAtMs - nowMs }
}

/** Entities come with the narrowest first, so that of equals it is the one. */
const narrowest = (
  entities: readonly LimitedEntity[],
  read: (entity: LimitedEntity) => Reading | null,
): Reading | null => {
  let least: Reading | null = null
  for (const entity of entities) {
    const reading = read(entity)
    if (reading !== null && (least === null || reading.remaining < least.remaining)) least = reading
  }
  return least
}

// Written out: names that are put together for every answer cost more than all the rest of a decision.
const requestHeaders = ({ limit, remaining, resetMs, scope }: Reading) => ({
  'x-ratelimit-limit-requests': String(limit),
  'x-ratelimit-remaining-requests': String(remaining),
  'x-ratelimit-reset-requests': goDuration(resetMs),
  'x-ratelimit-scope-requests': scope,
})
const tokenHeaders = ({ limit, remaining, resetMs, scope }: Reading) => ({
  'x-ratelimit-limit-tokens': String(limit),
  'x-ratelimit-remaining-tokens': String(remaining),
  'x-ratelimit-reset-tokens': goDuration(resetMs),
  'x-ratelimit-scope-tokens': scope,
})
