import type { Seal } from '../accounts/secrets/seal.ts'
import { sealedContexts } from '../accounts/secrets/sealed-contexts.ts'
import type { Log } from '../base/log.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import type { SavedSettings } from '../config/saved-settings.ts'
import { runTimeNames } from '../config/settings.ts'
import type { SettingRecord } from '../store/setting-contract.ts'

/** The values of the records, by name. What cannot be read, or is not a setting of this version, is left out. */
export const readSaved = (records: readonly SettingRecord[], seal: Seal, log: Log): SavedSettings =>
  new Map(
    records.flatMap(({ name: text, value, sealedValue }) => {
      const name = runTimeNames.find((known) => known === text)
      if (name === undefined) return []
      const json = sealedValue === null ? value : seal.open(sealedValue, sealedContexts.setting(name))?.toString()
      if (json === null || json === undefined) {
        log.warn('setting_ignored', { setting: name, reason: 'it is encrypted with another secret key' })
        return []
      }
      return [[name, parseJsonText(json)] as const]
    }),
  )
