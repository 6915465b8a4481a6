import { newOrganisationLimits } from '../config/new-organisation-limits.ts'
import type { Config } from '../config/settings.ts'
import type { GivenLimits } from '../store/contract.ts'
import type { Limits } from '../store/ledger-contract.ts'
import { noLimits } from '../store/limit-names.ts'

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

/** `given` is null where the organisation is gone: its last requests are still counted. */
export const organisationLimits = (given: GivenLimits | null, settings: LimitSettings): Limits => {
  const defaults = defaultLimits(given?.isServerOrganisation ?? false, settings)
  return limitsBy((name) => given?.limits[name] ?? defaults[name])
}

/** What an organisation has that its owner gave nothing: what the operator set, else what is right for its kind. */
export const defaultLimits = (isServerOrganisation: boolean, settings: LimitSettings): Limits => {
  const usual: Limits = isServerOrganisation ? noLimits : { ...noLimits, ...newOrganisationLimits }
  return limitsBy((name) => settings[organisationSetting[name]] ?? usual[name])
}

export const keyLimits = (own: Limits): Limits => limitsBy((name) => own[name])
