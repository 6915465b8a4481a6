import type { ShownSetting } from '../../../../src/platform/contract/server.ts'

/** What the fields of a part contain, by the name of the setting. */
export type SettingTexts = Readonly<Record<string, string>>

/** Secrets are never shown: their fields begin empty. */
export const settingTexts = (settings: readonly ShownSetting[]): SettingTexts =>
  Object.fromEntries(settings.map(({ name, value, isSecret }) => [name, isSecret ? '' : (value ?? '')]))

/** What has to be saved. An empty field gives up the saved value; the server says what else is wrong with one. */
export const readChanges = (
  settings: readonly ShownSetting[],
  texts: SettingTexts,
): Record<string, string | number | null> => {
  const before = settingTexts(settings)
  return Object.fromEntries(
    settings
      .filter(({ name, isFixed }) => !isFixed && texts[name] !== undefined && texts[name] !== before[name])
      .map(({ name }) => [name, readText(texts[name] ?? '')]),
  )
}

const readText = (text: string): string | number | null => {
  const trimmed = text.trim()
  if (trimmed === '') return null
  return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : trimmed
}
