import { settingText } from '../config/describe-config.ts'
import type { EffectiveConfig } from '../config/saved-settings.ts'
import { type SettingName, settings } from '../config/settings.ts'
import type { AuditDetails } from '../store/audit-contract.ts'

/** Prices of many models would fill the audit log. */
const maxChars = 1_000

/** Old and new value for the audit log. Of secrets only whether they are set. */
export const describeChange = (name: SettingName, before: EffectiveConfig, after: EffectiveConfig): AuditDetails => ({
  from: shown(name, before),
  to: shown(name, after),
  source: after.origins[name].source,
})

const shown = (name: SettingName, { config }: EffectiveConfig): string | null => {
  const text = settingText(config[name])
  if (text === null) return null
  if ('secret' in settings[name]) return 'secret'
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text
}
