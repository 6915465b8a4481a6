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
}

/** Describes the whole configuration. For secrets, shows only whether they are set. */
export const describeConfig = (config: Config): ShownSetting[] =>
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
    }
  })

const settingText = (value: Config[SettingName]): string | null => {
  const text = typeof value === 'object' && value !== null ? listText(value) : value
  return text === null || text === '' ? null : String(text)
}

const listText = (value: object): string => {
  if (!Array.isArray(value)) return Object.keys(value).length === 0 ? '' : JSON.stringify(value)
  return value.every((item) => typeof item === 'string') ? value.join(', ') : JSON.stringify(value)
}
