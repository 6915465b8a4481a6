import { array, nullable, object, optional } from '../../http/schema/containers.ts'
import { integer, oneOf, string } from '../../http/schema/scalars.ts'
import { described, named } from '../../http/schema/schema.ts'
import { usageGroups } from '../../usage/summarise.ts'
import { get, withKey } from '../operation.ts'

const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

export const usageTotals = {
  requests: count,
  failed_requests: count,
  client_closed_requests: described('Requests that the client disconnected before they finished.', count),
  prompt_tokens: count,
  cached_tokens: described('Prompt tokens that were served from the cache.', count),
  completion_tokens: count,
  reasoning_tokens: described('Completion tokens used for reasoning.', count),
  total_tokens: count,
  estimated_requests: described(
    'Requests whose counts are estimates, at least in part, because an upstream did not report them.',
    count,
  ),
  cost_micros: described('Cost in millionths of `currency`; 0 for models without a price.', count),
}

export const usageSchema = object({
  object: oneOf('list'),
  from: string(),
  to: string(),
  time_zone: described('Time zone in which days start.', string()),
  currency: described('ISO 4217 code of the currency of all costs.', string()),
  group_by: oneOf(...usageGroups),
  data: array(
    object({
      object: oneOf('usage'),
      day: optional(string()),
      key_id: optional(described('Null for requests from the playground.', nullable(string()))),
      model: optional(string()),
      ...usageTotals,
    }),
  ),
  total: object(usageTotals),
})

const usageQuery = object({
  from: optional(
    described('First day, for example 2026-11-01. Defaults to the first day of the current month.', string()),
  ),
  to: optional(described('Last day. Defaults to today. The period can cover at most 366 days.', string())),
  group_by: optional(oneOf(...usageGroups)),
})

export const usageOperations = {
  getUsage: get('/usage', withKey('manage'), 'Retrieves the usage of the organisation, grouped by day, key or model.', {
    query: usageQuery,
    answer: named('Usage', usageSchema),
  }),
}
