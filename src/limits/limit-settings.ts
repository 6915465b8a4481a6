import { newOrganisationLimits } from '../config/new-organisation-limits.ts'
import type { Config } from '../config/settings.ts'
import { microsOfNumber } from '../prices/decimal-amount.ts'
import type { GivenLimits } from '../store/contract.ts'
import type { Limits } from '../store/ledger-contract.ts'
import { noLimits } from '../store/limit-names.ts'

export type LimitName = keyof Limits
type TokenLimitName = Exclude<LimitName, 'costPerDayMicros' | 'costPerMonthMicros'>
type SettingOfServer = TokenLimitName | 'costPerDay' | 'costPerMonth'
export type LimitSettings = Pick<
  Config,
  SettingOfServer | `organisation${Capitalize<SettingOfServer>}` | 'timeZone' | 'currency' | 'storeOutageMinutes'
>

const serverSetting = {
  requestsPerMinute: 'requestsPerMinute',
  tokensPerMinute: 'tokensPerMinute',
  requestsInFlight: 'requestsInFlight',
  tokensPerDay: 'tokensPerDay',
  tokensPerMonth: 'tokensPerMonth',
  costPerDayMicros: 'costPerDay',
  costPerMonthMicros: 'costPerMonth',
} as const satisfies Record<LimitName, keyof LimitSettings>

const organisationSetting = {
  requestsPerMinute: 'organisationRequestsPerMinute',
  tokensPerMinute: 'organisationTokensPerMinute',
  requestsInFlight: 'organisationRequestsInFlight',
  tokensPerDay: 'organisationTokensPerDay',
  tokensPerMonth: 'organisationTokensPerMonth',
  costPerDayMicros: 'organisationCostPerDay',
  costPerMonthMicros: 'organisationCostPerMonth',
} as const satisfies Record<LimitName, keyof LimitSettings>

/** In settings 0 means no limit; here that is null. */
const limitsBy = (most: (name: LimitName) => number | null): Limits => ({
  requestsPerMinute: most('requestsPerMinute') || null,
  tokensPerMinute: most('tokensPerMinute') || null,
  requestsInFlight: most('requestsInFlight') || null,
  tokensPerDay: most('tokensPerDay') || null,
  tokensPerMonth: most('tokensPerMonth') || null,
  costPerDayMicros: most('costPerDayMicros') || null,
  costPerMonthMicros: most('costPerMonthMicros') || null,
})

/** Settings have amounts in units, limits in micros. */
const limitValue = (name: LimitName, setting: number | null): number | null =>
  setting === null || !isCostLimit(name) ? setting : microsOfNumber(setting)

export const isCostLimit = (name: LimitName): name is 'costPerDayMicros' | 'costPerMonthMicros' =>
  name === 'costPerDayMicros' || name === 'costPerMonthMicros'

export const serverLimits = (settings: LimitSettings): Limits =>
  limitsBy((name) => limitValue(name, settings[serverSetting[name]]))

/** `given` is null if the organisation was deleted: its last requests are still counted. */
export const organisationLimits = (given: GivenLimits | null, settings: LimitSettings): Limits => {
  const defaults = defaultLimits(given?.isServerOrganisation ?? false, settings)
  return limitsBy((name) => given?.limits[name] ?? defaults[name])
}

/** The limits of an organisation without its own: those in the settings, else the defaults for its kind. */
export const defaultLimits = (isServerOrganisation: boolean, settings: LimitSettings): Limits => {
  const usual: Limits = isServerOrganisation ? noLimits : { ...noLimits, ...newOrganisationLimits }
  return limitsBy((name) => limitValue(name, settings[organisationSetting[name]]) ?? usual[name])
}

export const keyLimits = (own: Limits): Limits => limitsBy((name) => own[name])
