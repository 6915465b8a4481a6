import { eachLimit, isCostLimit, type LimitName, type Limits, limitKinds } from '../config/limit-kinds.ts'
import { type LimitSettingName, organisationSetting } from '../config/limit-settings.ts'
import { newOrganisationLimits } from '../config/new-organisation-limits.ts'
import type { Config } from '../config/settings.ts'
import { microsOfNumber } from '../prices/decimal-amount.ts'
import type { GivenLimits } from '../store/contract.ts'
import { noLimits } from '../store/limit-names.ts'

export type LimitSettings = Pick<Config, LimitSettingName | 'timeZone' | 'currency' | 'storeOutageMinutes'>

/** In settings 0 means no limit; here that is null. */
const limitsBy = (maxOf: (name: LimitName) => number | null): Limits => eachLimit((name) => maxOf(name) || null)

/** Settings have amounts in units, limits in micros. */
const limitValue = (name: LimitName, setting: number | null): number | null =>
  setting === null || !isCostLimit(name) ? setting : microsOfNumber(setting)

export const serverLimits = (settings: LimitSettings): Limits =>
  limitsBy((name) => limitValue(name, settings[limitKinds[name].setting]))

/** `given` is null if the organisation was deleted: its last requests are still counted. */
export const organisationLimits = (given: GivenLimits | null, settings: LimitSettings): Limits => {
  const defaults = defaultLimits(given?.isServerOrganisation ?? false, settings)
  return limitsBy((name) => given?.limits[name] ?? defaults[name])
}

/** The limits of an organisation without its own: those in the settings, else the defaults for its kind. */
export const defaultLimits = (isServerOrganisation: boolean, settings: LimitSettings): Limits => {
  const usual: Limits = isServerOrganisation ? noLimits : newOrganisationLimits
  return limitsBy((name) => limitValue(name, settings[organisationSetting(name)]) ?? usual[name])
}
