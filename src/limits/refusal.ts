import { ApiError } from '../base/api-error.ts'
import type { RefusingLimit } from '../store/request-log-contract.ts'
import type { ExceededLimit } from './decide.ts'
import { goDuration } from './go-duration.ts'
import type { LimitName } from './limit-settings.ts'
import { type LimitedEntity, type Moment, nameOfEntity } from './limited-entity.ts'
import type { Ask } from './limiter.ts'

const refusing = new WeakMap<ApiError, RefusingLimit>()

/** Which limit an error is about, for the log of requests: the error itself has it only as a sentence. */
export const refusingLimitOf = (error: ApiError): RefusingLimit | null => refusing.get(error) ?? null

/** The answer to a request that was not let in, with the headers that every answer has. */
export const refusalOf = (exceeded: ExceededLimit, ask: Ask, at: Moment, headers: Record<string, string>): ApiError => {
  const { entity, limit, most, used, waitMs } = exceeded
  const error = errorOf(exceeded, ask, at, headers)
  const requested = countsRequests.has(limit) ? 1 : ask.promptTokens + ask.completionTokens
  const wait = Number.isFinite(waitMs) ? Math.ceil(waitMs) : null
  refusing.set(error, { name: limit, scope: entity.scope, limit: most, used, requested, waitMs: wait })
  return error
}

const countsRequests: ReadonlySet<LimitName> = new Set(['requestsPerMinute', 'requestsInFlight'])

const errorOf = (
  { entity, limit, most, used, reason, waitMs }: ExceededLimit,
  { model, promptTokens, completionTokens }: Ask,
  { now }: Moment,
  headers: Record<string, string>,
): ApiError => {
  const requested = promptTokens + completionTokens
  const common = { model, place: placeOf(entity), limit: most }
  const period = measures[limit]
  const final = { headers, shouldRetry: false }
  if (reason === 'too_large')
    return ApiError.of(
      'request_above_rate_limit',
      { ...common, period, requested, promptTokens, completionTokens },
      final,
    )
  if (reason === 'used_up') {
    const reset = new Date(now + waitMs).toISOString().replace('.000Z', 'Z')
    const budget = { scope: nameOfEntity(entity), period: limit === 'tokensPerDay' ? 'day' : 'month' }
    return ApiError.of('insufficient_quota', { ...budget, limit: most, used, requested, reset }, final)
  }
  const later = { headers, retryAfterMs: Math.ceil(waitMs) }
  const wait = goDuration(waitMs)
  if (limit === 'requestsPerMinute') return ApiError.of('rate_limit_requests', { ...common, used, wait }, later)
  if (limit === 'requestsInFlight') return ApiError.of('rate_limit_in_flight', { ...common, used }, later)
  return ApiError.of('rate_limit_tokens', { ...common, period, used, requested, wait }, later)
}

const measures: Record<LimitName, string> = {
  requestsPerMinute: 'requests per min (RPM)',
  tokensPerMinute: 'tokens per min (TPM)',
  requestsInFlight: 'requests in flight',
  tokensPerDay: 'tokens per day (TPD)',
  tokensPerMonth: 'tokens per month',
}

const placeOf = (entity: LimitedEntity): string => `${entity.scope === 'server' ? 'on' : 'in'} ${nameOfEntity(entity)}`
