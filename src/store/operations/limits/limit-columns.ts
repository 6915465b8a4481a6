import type { Limits } from '../../ledger-contract.ts'
import { integerOrNull, type Row } from '../row.ts'

export const limitColumns =
  'requests_per_minute, tokens_per_minute, requests_in_flight, tokens_per_day, tokens_per_month, cost_per_day, cost_per_month'

export const limitPlaces = '?, ?, ?, ?, ?, ?, ?'

/** In the order of `limitColumns`. */
export const limitValues = (limits: Limits): (number | null)[] => [
  limits.requestsPerMinute,
  limits.tokensPerMinute,
  limits.requestsInFlight,
  limits.tokensPerDay,
  limits.tokensPerMonth,
  limits.costPerDayMicros,
  limits.costPerMonthMicros,
]

export const limitsOf = (row: Row): Limits => ({
  requestsPerMinute: integerOrNull(row, 'requests_per_minute'),
  tokensPerMinute: integerOrNull(row, 'tokens_per_minute'),
  requestsInFlight: integerOrNull(row, 'requests_in_flight'),
  tokensPerDay: integerOrNull(row, 'tokens_per_day'),
  tokensPerMonth: integerOrNull(row, 'tokens_per_month'),
  costPerDayMicros: integerOrNull(row, 'cost_per_day'),
  costPerMonthMicros: integerOrNull(row, 'cost_per_month'),
})
