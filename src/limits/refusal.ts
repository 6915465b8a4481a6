import { type ErrorParts, errorParts } from '../base/api-error.ts'
import { isCostLimit, type LimitName, limitKinds } from '../config/limit-kinds.ts'
import { decimalAmount } from '../prices/decimal-amount.ts'
import type { ExceededLimit } from './decide.ts'
import { goDuration } from './go-duration.ts'
import { LimitExceeded } from './limit-exceeded.ts'
import { type LimitedEntity, type Moment, nameOfEntity } from './limited-entity.ts'
import { amountIn } from './usage-counters.ts'

type RefusedRequest = {
  model: string
  promptTokens: number
  completionTokens: number
  /** The maximum cost of the tokens. */
  costMicros: number
  currency: string
}

/** The error for a request that exceeds a limit, with the headers that every response has. */
export const createRefusal = (
  exceeded: ExceededLimit,
  request: RefusedRequest,
  at: Moment,
  headers: Record<string, string>,
): LimitExceeded => {
  const { entity, limit, max, used, waitMs, reason } = exceeded
  const wait = Number.isFinite(waitMs) ? Math.ceil(waitMs) : null
  const requested = requestedAmount(limit, request)
  const refusing = { name: limit, scope: entity.scope, limit: max, used, requested, waitMs: wait }
  const parts = refusalParts(exceeded, request, at, headers)
  // A running request may end at any time.
  const resetsAt = wait === null || reason === 'running' ? null : at.now + wait
  const named = { name: limitKinds[limit].wireName, scope: entity.scope, limit: max, used, requested, resetsAt }
  return new LimitExceeded({ ...parts, options: { ...parts.options, limit: named } }, refusing)
}

/** The requested amount, in the unit of the limit. */
const requestedAmount = (limit: LimitName, { promptTokens, completionTokens, costMicros }: RefusedRequest): number => {
  return amountIn(limitKinds[limit].unit, { requests: 1, tokens: promptTokens + completionTokens, costMicros })
}

const refusalParts = (
  exceeded: ExceededLimit,
  request: RefusedRequest,
  { now }: Moment,
  headers: Record<string, string>,
): ErrorParts => {
  const { entity, limit, reason, waitMs } = exceeded
  const { model, promptTokens, completionTokens, currency } = request
  const shown = (value: number): number | string => (isCostLimit(limit) ? `${decimalAmount(value)} ${currency}` : value)
  const [max, used, requested] = [exceeded.max, exceeded.used, requestedAmount(limit, request)].map(shown)
  const common = { model, place: entityPlace(entity), limit: max ?? 0 }
  const needed = { used: used ?? 0, requested: requested ?? 0 }
  const { unit, window, errorText: period } = limitKinds[limit]
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
    const budget = { scope: nameOfEntity(entity), measure: unit === 'money' ? 'cost' : unit, period: window }
    return errorParts('insufficient_quota', { ...budget, limit: common.limit, ...needed, reset }, final)
  }
  const later = { headers, retryAfterMs: Math.ceil(waitMs) }
  const wait = goDuration(waitMs)
  if (window === 'in_flight') return errorParts('rate_limit_in_flight', { ...common, used: needed.used }, later)
  if (unit === 'requests') {
    const values = { ...common, used: needed.used, wait }
    if (window === 'minute') return errorParts('rate_limit_requests', values, later)
    return errorParts('rate_limit_requests_of_period', { ...values, period }, later)
  }
  return errorParts('rate_limit_tokens', { ...common, period, ...needed, wait }, later)
}

const entityPlace = (entity: LimitedEntity): string =>
  `${entity.scope === 'server' ? 'on' : 'in'} ${nameOfEntity(entity)}`
