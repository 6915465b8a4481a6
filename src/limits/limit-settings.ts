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

/** In settings 0 means no limit; here that is null. */
const limitsBy = (most: (name: LimitName) => number | null): Limits => ({
  requestsPerMinute: most('requestsPerMinute') || null,
  tokensPerMinute: most('tokensPerMinute') || null,
  requestsInFlight: most('requestsInFlight') || null,
  tokensPerDay: most('tokensPerDay') || null,
  tokensPerMonth: most('tokensPerMonth') || null,
})

export const serverLimits = (settings: LimitSettings): Limits => limitsBy((name) => settings[name])

/** `given` is null if the organisation was deleted: its last requests are still counted. */
export const organisationLimits = (given: GivenLimits | null, settings: LimitSettings): Limits => {
  const defaults = defaultLimits(given?.isServerOrganisation ?? false, settings)
  return limitsBy((name) => given?.limits[name] ?? defaults[name])
}

/** The limits of an organisation without its own: those in the settings, else the defaults for its kind. */
export const defaultLimits = (isServerOrganisation: boolean, settings: LimitSettings): Limits => {
  const usual: Limits = isServerOrganisation ? noLimits : { ...noLimits, ...newOrganisationLimits }
  return limitsBy((name) => settings[organisationSetting[name]] ?? usual[name])
}

export const keyLimits = (own: Limits): Limits => limitsBy((name) => own[name])
