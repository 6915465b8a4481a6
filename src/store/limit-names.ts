import type { Limits } from './ledger-contract.ts'

/** Every limit there is, in the order in which it is shown. */
export const limitNames = [
  'requestsPerMinute',
  'tokensPerMinute',
  'requestsInFlight',
  'tokensPerDay',
  'tokensPerMonth',
] as const satisfies readonly (keyof Limits)[]

/** Whether the limits are what somebody believes of them; of those that are left out nothing is believed. */
export const limitsAgree = (limits: Limits, believed: Partial<Limits>): boolean =>
  limitNames.every((name) => believed[name] === undefined || believed[name] === limits[name])

export const noLimits: Limits = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  requestsInFlight: null,
  tokensPerDay: null,
  tokensPerMonth: null,
}
