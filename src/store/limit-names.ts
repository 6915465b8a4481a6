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
