import { abilities } from '../../accounts/teams/roles.ts'
import { integerText } from '../../http/read-query.ts'
import { array, nullable, object, optional } from '../../http/schema/containers.ts'
import { oneOf, string } from '../../http/schema/scalars.ts'
import { described, named } from '../../http/schema/schema.ts'
import { usageGroups } from '../../usage/summarise.ts'
import { get, member } from './operation.ts'
import { count } from './scalars.ts'
import type { Shape } from './shape.ts'

export type UsageGroup = (typeof usageGroups)[number]

const average = described('Average; null if there is nothing to average.', nullable(count))
const figures = {
  requests: count,
  failed: count,
  aborted: described('The client disconnected before the end.', count),
  promptTokens: count,
  cachedTokens: count,
  completionTokens: count,
  reasoningTokens: count,
  firstTokenMs: average,
  durationMs: average,
  estimated: described('Requests whose counts are estimates, at least in part.', count),
  costMicros: described('In millionths of the currency.', count),
}
const totals = named('UsageFigures', object(figures))
export type UsageFigures = Shape<typeof totals>

/** Named by what it was grouped by. */
const line = object({
  ...figures,
  day: optional(string()),
  key: optional(
    described(
      'Null: the playground.',
      nullable(object({ id: string(), name: nullable(string()), lastFour: nullable(string()) })),
    ),
  ),
  model: optional(string()),
})
export type UsageLine = Shape<typeof line>

const usage = object({
  from: described('First day, for example 2026-11-01, in the time zone of the server.', string()),
  to: described('Last day, inclusive.', string()),
  timeZone: string(),
  currency: string(),
  by: oneOf(...usageGroups),
  data: array(line),
  total: totals,
})
export type Usage = Shape<typeof usage>

const query = object({
  from: optional(string({ maxLength: 10 })),
  to: optional(string({ maxLength: 10 })),
  days: optional(described('So many days up to today, instead of `from` and `to`.', integerText({ min: 1, max: 366 }))),
  by: optional(oneOf(...usageGroups)),
})

export type UsageQuery = ReturnType<typeof query>

export const usageOperations = {
  showUsage: get('/usage', member(abilities.see), 'Shows the usage of the organisation by day, key or model.', {
    query,
    answer: usage,
  }),
  exportUsage: get('/usage.csv', member(abilities.see), 'Downloads the same as a file.', {
    query,
    content: { 'text/csv': { type: 'string' } },
  }),
}
