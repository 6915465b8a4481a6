import type { SettingSource, SettingsPart } from './setting.ts'
import { defaultOrigin, type SettingOrigins } from './setting-origin.ts'
import { type Config, environmentName, type SettingName, settingNames, settings } from './settings.ts'

/** A setting in a form that is safe to show. */
export type ShownSetting = {
  name: SettingName
  environmentName: string
  /** Null if unset, and for every secret. */
  value: string | null
  isSet: boolean
  isSecret: boolean
  /** Null if there is none. */
  default: string | null
  isDefault: boolean
  source: SettingSource
  /** The flag, the variable, or the place in the file; null for others. */
  place: string | null
  /** Null: a change needs a restart. */
  editedIn: SettingsPart | null
}

/** Describes the whole configuration. For secrets, shows only whether they are set. `origins`: unknown without them. */
export const describeConfig = (config: Config, origins?: SettingOrigins): ShownSetting[] =>
  settingNames.map((name) => {
    const setting = settings[name]
    const isSecret = 'secret' in setting
    const value = settingText(config[name])
    const fallback = settingText(setting.default)
    return {
      name,
      environmentName: environmentName(name),
      value: isSecret ? null : value,
      isSet: value !== null,
      isSecret,
      default: fallback,
      isDefault: value === fallback,
      ...(origins?.[name] ?? defaultOrigin),
      editedIn: 'editedIn' in setting ? setting.editedIn : null,
    }
  })

/** Null: it is not set. */
export const settingText = (value: Config[SettingName]): string | null => {
  const text = typeof value === 'object' && value !== null ? listText(value) : value
  return text === null || text === '' ? null : String(text)
}

const listText = (value: object): string => {
  if (!Array.isArray(value)) return Object.keys(value).length === 0 ? '' : JSON.stringify(value)
  return value.every((item) => typeof item === 'string') ? value.join(', ') : JSON.stringify(value)
}
