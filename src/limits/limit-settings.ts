import type { Config } from '../config/settings.ts'
import type { Limits, OrganisationLimits } from '../store/ledger-contract.ts'

export type LimitName = keyof Limits
export type LimitSettings = Pick<Config, LimitName | `organisation${Capitalize<LimitName>}` | 'timeZone'>

const organisationSetting = {
  requestsPerMinute: 'organisationRequestsPerMinute',
  tokensPerMinute: 'organisationTokensPerMinute',
  requestsInFlight: 'organisationRequestsInFlight',
  tokensPerDay: 'organisationTokensPerDay',
  tokensPerMonth: 'organisationTokensPerMonth',
} as const satisfies Record<LimitName, keyof LimitSettings>

/** 0 is how people write that there is no limit; from here on that is null. */
const limitsBy = (most: (name: LimitName) => number | null): Limits => ({
  requestsPerMinute: most('requestsPerMinute') || null,
  tokensPerMinute: most('tokensPerMinute') || null,
  requestsInFlight: most('requestsInFlight') || null,
  tokensPerDay: most('tokensPerDay') || null,
  tokensPerMonth: most('tokensPerMonth') || null,
})

export const serverLimits = (settings: LimitSettings): Limits => limitsBy((name) => settings[name])

/** `own` is null where the organisation is gone: its last requests are still counted. */
export const organisationLimits = (own: OrganisationLimits | null, settings: LimitSettings): Limits =>
  limitsBy((name) => own?.[name] ?? settings[organisationSetting[name]])

export const keyLimits = (own: Limits): Limits => limitsBy((name) => own[name])
