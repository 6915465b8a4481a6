import type { Limits } from './ledger-contract.ts'

/** All limits, in display order. */
export const limitNames = [
  'requestsPerMinute',
  'tokensPerMinute',
  'requestsInFlight',
  'tokensPerDay',
  'tokensPerMonth',
  'costPerDayMicros',
  'costPerMonthMicros',
] as const satisfies readonly (keyof Limits)[]

/** The same as the API names them. */
export const limitWireNames = {
  requestsPerMinute: 'requests_per_minute',
  tokensPerMinute: 'tokens_per_minute',
  requestsInFlight: 'requests_in_flight',
  tokensPerDay: 'tokens_per_day',
  tokensPerMonth: 'tokens_per_month',
  costPerDayMicros: 'cost_per_day_micros',
  costPerMonthMicros: 'cost_per_month_micros',
} as const satisfies Record<keyof Limits, string>

/** Whether the limits are still as expected. Those not given are not compared. */
export const limitsAgree = (limits: Limits, believed: Partial<Limits>): boolean =>
  limitNames.every((name) => believed[name] === undefined || believed[name] === limits[name])

export const noLimits: Limits = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  requestsInFlight: null,
  tokensPerDay: null,
  tokensPerMonth: null,
  costPerDayMicros: null,
  costPerMonthMicros: null,
}
