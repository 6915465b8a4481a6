import type { Limits } from './ledger-contract.ts'

/** Every limit there is, in the order in which it is shown. */
export const limitNames = [
  'requestsPerMinute',
  'tokensPerMinute',
  'requestsInFlight',
  'tokensPerDay',
  'tokensPerMonth',
] as const satisfies readonly (keyof Limits)[]

/** Whose a limit is, the narrowest first. */
export type LimitScope = 'key' | 'organisation' | 'server'

export const noLimits: Limits = {
  requestsPerMinute: null,
  tokensPerMinute: null,
  requestsInFlight: null,
  tokensPerDay: null,
  tokensPerMonth: null,
}
