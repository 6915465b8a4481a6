import { ApiError } from '../base/api-error.ts'
import { readSetting } from '../config/read-setting.ts'
import { savedPlace } from '../config/saved-settings.ts'
import { SettingError } from '../config/setting-error.ts'
import type { Config, SettingName } from '../config/settings.ts'

/** A value that is not saved yet. Throws `invalid_setting`. */
export const readWanted = <Name extends SettingName>(name: Name, value: unknown): Config[Name] => {
  try {
    return asValue<Name>(readSetting(name, value, savedPlace(name)))
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    throw ApiError.of('invalid_setting', { reason: `${error.message}.` }, { param: name })
  }
}

/** Sound because the setting of this name has read it. */
const asValue = <Name extends SettingName>(value: unknown): Config[Name] => value as Config[Name]
