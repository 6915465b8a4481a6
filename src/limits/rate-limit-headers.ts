import type { AppliedLimit, AppliedLimits } from '../store/ledger-contract.ts'
import { goDuration } from './go-duration.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import { findLimit } from './set-limits.ts'
import { leavesWindowAt, windowEmptiesAt, windowTotal } from './sliding-window.ts'
import { minuteTokens } from './usage-counters.ts'

/** A running request to be counted as if it had just ended. */
type Ending = { reservedTokens: number; usedTokens: number }
type Reading = AppliedLimit & { resetMs: number }

/**
 * The `x-ratelimit-*` headers for requests and tokens, each of the entity with the least remaining, which the `scope` header
 * names. Without a limit there are none.
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

/** The limits in the headers, for the ledger. */
export const appliedLimits = (entities: readonly LimitedEntity[], at: Moment): AppliedLimits => ({
  requests: asApplied(narrowest(entities, (entity) => readRequests(entity, at))),
  tokens: asApplied(narrowest(entities, (entity) => readTokens(entity, at, null))),
})

const asApplied = (reading: Reading | null): AppliedLimit | null =>
  reading === null ? null : { scope: reading.scope, limit: reading.limit, remaining: reading.remaining }

const readRequests = ({ scope, limits, counters }: LimitedEntity, { nowMs }: Moment): Reading | null => {
  const limit = findLimit(limits, 'requests', 'minute')?.max
  if (limit === undefined) return null
  const remaining = Math.max(0, limit - windowTotal(counters.requests, nowMs) - counters.entering)
  return { scope, limit, remaining, resetMs: windowEmptiesAt(counters.requests, nowMs) - nowMs }
}

const readTokens = (
  { scope, limits, counters }: LimitedEntity,
  { nowMs }: Moment,
  ending: Ending | null,
): Reading | null => {
  const limit = findLimit(limits, 'tokens', 'minute')?.max
  if (limit === undefined) return null
  const released = ending === null ? 0 : ending.reservedTokens - ending.usedTokens
  const remaining = Math.max(0, limit - minuteTokens(counters, nowMs) + released)
  // When running requests end is unknown; this is the reset if they ended now.
  const resetAtMs = counters.running > 0 ? leavesWindowAt(nowMs) : windowEmptiesAt(counters.settled, nowMs)
  return { scope, limit, remaining, resetMs: resetAtMs - nowMs }
}

/** Entities are sorted by scope, so the narrowest is chosen on a tie. */
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

// Written out, because building the names for every response costs more than the rest of a decision.
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
