import type { Seal } from '../accounts/secrets/seal.ts'
import { sealedContexts } from '../accounts/secrets/sealed-contexts.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import type { SavedSettings } from '../config/saved-settings.ts'
import { runTimeNames } from '../config/settings.ts'
import type { SettingRecord } from '../store/setting-contract.ts'

/** The values of the records, by name. What cannot be read, or is not a setting of this version, is left out. */
export const readSaved = (
  records: readonly SettingRecord[],
  seal: Seal,
  onUnreadable: (record: SettingRecord) => void,
): SavedSettings =>
  new Map(
    records.flatMap((record) => {
      const { name: text, value, sealedValue } = record
      const name = runTimeNames.find((known) => known === text)
      if (name === undefined) return []
      const json = sealedValue === null ? value : seal.open(sealedValue, sealedContexts.setting(name))?.toString()
      if (json === null || json === undefined) {
        onUnreadable(record)
        return []
      }
      return [[name, parseJsonText(json)] as const]
    }),
  )
