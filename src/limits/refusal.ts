import { type ErrorParts, errorParts } from '../base/api-error.ts'
import type { ExceededLimit } from './decide.ts'
import { goDuration } from './go-duration.ts'
import { LimitExceeded } from './limit-exceeded.ts'
import type { LimitName } from './limit-settings.ts'
import { type LimitedEntity, type Moment, nameOfEntity } from './limited-entity.ts'
import type { TokenRequest } from './limiter-contract.ts'

/** The error for a request that exceeds a limit, with the headers that every response has. */
export const refusalOf = (
  exceeded: ExceededLimit,
  request: TokenRequest,
  at: Moment,
  headers: Record<string, string>,
): LimitExceeded => {
  const { entity, limit, most, used, waitMs } = exceeded
  const requested = countsRequests.has(limit) ? 1 : request.promptTokens + request.completionTokens
  const wait = Number.isFinite(waitMs) ? Math.ceil(waitMs) : null
  const refusing = { name: limit, scope: entity.scope, limit: most, used, requested, waitMs: wait }
  return new LimitExceeded(partsOf(exceeded, request, at, headers), refusing)
}

const countsRequests: ReadonlySet<LimitName> = new Set(['requestsPerMinute', 'requestsInFlight'])

const partsOf = (
  { entity, limit, most, used, reason, waitMs }: ExceededLimit,
  { model, promptTokens, completionTokens }: TokenRequest,
  { now }: Moment,
  headers: Record<string, string>,
): ErrorParts => {
  const requested = promptTokens + completionTokens
  const common = { model, place: placeOf(entity), limit: most }
  const period = measures[limit]
  const final = { headers, shouldRetry: false }
  if (reason === 'too_large')
    return errorParts(
      'request_above_rate_limit',
      { ...common, period, requested, promptTokens, completionTokens },
      final,
    )
  if (reason === 'used_up') {
    const reset = new Date(now + waitMs).toISOString().replace('.000Z', 'Z')
    const budget = { scope: nameOfEntity(entity), period: limit === 'tokensPerDay' ? 'day' : 'month' }
    return errorParts('insufficient_quota', { ...budget, limit: most, used, requested, reset }, final)
  }
  const later = { headers, retryAfterMs: Math.ceil(waitMs) }
  const wait = goDuration(waitMs)
  if (limit === 'requestsPerMinute') return errorParts('rate_limit_requests', { ...common, used, wait }, later)
  if (limit === 'requestsInFlight') return errorParts('rate_limit_in_flight', { ...common, used }, later)
  return errorParts('rate_limit_tokens', { ...common, period, used, requested, wait }, later)
}

const measures: Record<LimitName, string> = {
  requestsPerMinute: 'requests per min (RPM)',
  tokensPerMinute: 'tokens per min (TPM)',
  requestsInFlight: 'requests in flight',
  tokensPerDay: 'tokens per day (TPD)',
  tokensPerMonth: 'tokens per month',
}

const placeOf = (entity: LimitedEntity): string => `${entity.scope === 'server' ? 'on' : 'in'} ${nameOfEntity(entity)}`
