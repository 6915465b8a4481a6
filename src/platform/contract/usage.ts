import { abilities } from '../../accounts/teams/roles.ts'
import { booleanText, integerText } from '../../http/read-query.ts'
import { array, nullable, object, optional } from '../../http/schema/containers.ts'
import { oneOf, string } from '../../http/schema/scalars.ts'
import { described, named } from '../../http/schema/schema.ts'
import type { Shape } from '../../operations/shape.ts'
import { get, member } from './operation.ts'
import { requestError } from './request-error.ts'
import { count, time } from './scalars.ts'
import { usageSeries, usageUnits } from './usage-groups.ts'

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
export const usageTotals = named('UsageFigures', object(figures))
export type UsageFigures = Shape<typeof usageTotals>

const series = object({
  id: described(
    'ID of the key or account, name of the model, endpoint or outcome; `playground`, `unknown` or `others` for the rest.',
    string(),
  ),
  name: nullable(string()),
  lastFour: described('Of a key.', nullable(string())),
})

const line = object({
  ...figures,
  slot: described('Position in `slots`.', count),
  series: described('Null unless split into series.', nullable(series)),
  previous: described('The same in the previous period; null unless compared.', nullable(usageTotals)),
})
export type UsageLine = Shape<typeof line>

const rejected = object({
  total: count,
  reasons: described('The most frequent first.', array(object({ error: requestError, count }))),
})

export const usage = object({
  from: described('First day, for example 2026-11-01, in `timeZone`.', string()),
  to: described('Last day, inclusive.', string()),
  timeZone: described('In which days begin: the requested one if that is possible.', string()),
  serverTimeZone: string(),
  currency: string(),
  unit: oneOf(...usageUnits),
  by: oneOf(...usageSeries),
  limited: described(
    'Why the time zone or the beginning differ from what was requested: older requests were deleted, or there are too many to count one by one.',
    nullable(oneOf('retention', 'volume')),
  ),
  countedFrom: described('Requests that ended earlier are not counted; null if all are.', nullable(time)),
  slots: described(
    'Names of the hours, days or months, oldest first, those without requests included.',
    array(string()),
  ),
  data: described('By slot, then most tokens first. Those without requests are left out.', array(line)),
  total: usageTotals,
  rejected: described(
    'Requests of the period that were refused before they reached a model. They are in no other figure. Of each organisation the newest ten thousand are kept.',
    rejected,
  ),
  previous: described(
    'The period before, of the same length; null unless compared.',
    nullable(object({ from: string(), to: string(), total: usageTotals })),
  ),
})
export type Usage = Shape<typeof usage>

const query = object({
  from: optional(string({ maxLength: 10 })),
  to: optional(string({ maxLength: 10 })),
  days: optional(
    described('Number of days up to today, instead of `from` and `to`.', integerText({ min: 1, max: 366 })),
  ),
  unit: optional(oneOf(...usageUnits)),
  by: optional(oneOf(...usageSeries)),
  zone: optional(
    described('Time zone, for example Asia/Tokyo. Default: that of the server.', string({ maxLength: 64 })),
  ),
  compare: optional(booleanText),
})

export type UsageQuery = ReturnType<typeof query>

export const usageOperations = {
  showUsage: get('/usage', member(abilities.see), 'Shows the usage of the organisation over a period.', {
    query,
    answer: usage,
  }),
  exportUsage: get('/usage.csv', member(abilities.see), 'Downloads the same as a file.', {
    query,
    content: { 'text/csv': { type: 'string' } },
  }),
}
