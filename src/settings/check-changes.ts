import { ApiError } from '../base/api-error.ts'
import { applySaved, type EffectiveConfig, type SavedSettings, type StartedConfig } from '../config/saved-settings.ts'
import type { SettingName } from '../config/settings.ts'

/** What was saved before, and which of it is not used. */
type Changes = { saved: SavedSettings; changed: readonly SettingName[]; ignored: EffectiveConfig['ignored'] }

/** The settings with these changes. Throws `invalid_setting` if a changed one would not be used, or another one no longer. */
export const checkChanges = (started: StartedConfig, { saved, changed, ignored }: Changes): EffectiveConfig => {
  const effective = applySaved(started, saved)
  for (const [name, reason] of effective.ignored)
    if (changed.includes(name) || !ignored.has(name))
      throw ApiError.of('invalid_setting', { reason: `${reason}.` }, { param: name })
  return effective
}
