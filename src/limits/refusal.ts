import { type ErrorParts, errorParts } from '../base/api-error.ts'
import { decimalAmount } from '../prices/decimal-amount.ts'
import { limitWireNames } from '../store/limit-names.ts'
import type { ExceededLimit } from './decide.ts'
import { goDuration } from './go-duration.ts'
import { LimitExceeded } from './limit-exceeded.ts'
import { isCostLimit, type LimitName } from './limit-settings.ts'
import { type LimitedEntity, type Moment, nameOfEntity } from './limited-entity.ts'

type RefusedRequest = {
  model: string
  promptTokens: number
  completionTokens: number
  /** What they can cost at most. */
  costMicros: number
  currency: string
}

/** The error for a request that exceeds a limit, with the headers that every response has. */
export const refusalOf = (
  exceeded: ExceededLimit,
  request: RefusedRequest,
  at: Moment,
  headers: Record<string, string>,
): LimitExceeded => {
  const { entity, limit, most, used, waitMs, reason } = exceeded
  const wait = Number.isFinite(waitMs) ? Math.ceil(waitMs) : null
  const requested = requestedOf(limit, request)
  const refusing = { name: limit, scope: entity.scope, limit: most, used, requested, waitMs: wait }
  const parts = partsOf(exceeded, request, at, headers)
  // A running request may end at any time.
  const resetsAt = wait === null || reason === 'running' ? null : at.now + wait
  const named = { name: limitWireNames[limit], scope: entity.scope, limit: most, used, requested, resetsAt }
  return new LimitExceeded({ ...parts, options: { ...parts.options, limit: named } }, refusing)
}

const countsRequests: ReadonlySet<LimitName> = new Set(['requestsPerMinute', 'requestsInFlight'])

/** In the unit of the limit. */
const requestedOf = (limit: LimitName, { promptTokens, completionTokens, costMicros }: RefusedRequest): number => {
  if (isCostLimit(limit)) return costMicros
  return countsRequests.has(limit) ? 1 : promptTokens + completionTokens
}

const partsOf = (
  exceeded: ExceededLimit,
  request: RefusedRequest,
  { now }: Moment,
  headers: Record<string, string>,
): ErrorParts => {
  const { entity, limit, reason, waitMs } = exceeded
  const { model, promptTokens, completionTokens, currency } = request
  const shown = (value: number): number | string => (isCostLimit(limit) ? `${decimalAmount(value)} ${currency}` : value)
  const [most, used, requested] = [exceeded.most, exceeded.used, requestedOf(limit, request)].map(shown)
  const common = { model, place: placeOf(entity), limit: most ?? 0 }
  const needed = { used: used ?? 0, requested: requested ?? 0 }
  const period = measures[limit]
  const final = { headers, shouldRetry: false }
  if (reason === 'too_large') {
    const tokens = `${promptTokens + completionTokens} tokens`
    const all = isCostLimit(limit) ? `${needed.requested} for ${tokens}` : needed.requested
    return errorParts(
      'request_above_rate_limit',
      { ...common, period, requested: all, promptTokens, completionTokens },
      final,
    )
  }
  if (reason === 'used_up') {
    const reset = new Date(now + waitMs).toISOString().replace('.000Z', 'Z')
    const budget = { scope: nameOfEntity(entity), ...budgetOf(limit) }
    return errorParts('insufficient_quota', { ...budget, limit: common.limit, ...needed, reset }, final)
  }
  const later = { headers, retryAfterMs: Math.ceil(waitMs) }
  const wait = goDuration(waitMs)
  if (limit === 'requestsPerMinute')
    return errorParts('rate_limit_requests', { ...common, used: needed.used, wait }, later)
  if (limit === 'requestsInFlight') return errorParts('rate_limit_in_flight', { ...common, used: needed.used }, later)
  return errorParts('rate_limit_tokens', { ...common, period, ...needed, wait }, later)
}

const budgetOf = (limit: LimitName): { measure: string; period: string } => ({
  measure: isCostLimit(limit) ? 'cost' : 'tokens',
  period: limit === 'tokensPerDay' || limit === 'costPerDayMicros' ? 'day' : 'month',
})

const measures: Record<LimitName, string> = {
  requestsPerMinute: 'requests per min (RPM)',
  tokensPerMinute: 'tokens per min (TPM)',
  requestsInFlight: 'requests in flight',
  tokensPerDay: 'tokens per day (TPD)',
  tokensPerMonth: 'tokens per month',
  costPerDayMicros: 'cost per day',
  costPerMonthMicros: 'cost per month',
}

const placeOf = (entity: LimitedEntity): string => `${entity.scope === 'server' ? 'on' : 'in'} ${nameOfEntity(entity)}`
