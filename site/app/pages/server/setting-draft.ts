import type { ShownSetting } from '../../../../src/platform/contract/server.ts'

/** What the fields of a part contain, by the name of the setting. */
export type SettingTexts = Readonly<Record<string, string>>

/** Secrets are never shown: their fields begin empty. */
export const settingTexts = (settings: readonly ShownSetting[]): SettingTexts =>
  Object.fromEntries(settings.map(({ name, value, isSecret }) => [name, isSecret ? '' : (value ?? '')]))

/** What was typed, and what the setting was before: it may be another by the time it is saved. */
export type SettingDrafts = Readonly<Record<string, { text: string; was: string | null }>>

/** What the fields show: what was typed, and of all others what they are now, which another owner may just have changed. */
export const draftTexts = (settings: readonly ShownSetting[], drafts: SettingDrafts): SettingTexts => ({
  ...settingTexts(settings),
  ...Object.fromEntries(Object.entries(drafts).map(([name, { text }]) => [name, text])),
})

/** What was typed while settings were being saved stays, on top of what was saved. `sent`: what their fields contained. */
export const withoutSaved = (
  drafts: SettingDrafts,
  names: readonly string[],
  sent: SettingTexts,
  settings: readonly ShownSetting[],
): SettingDrafts =>
  Object.fromEntries(
    Object.entries(drafts).flatMap(([name, draft]) => {
      if (!names.includes(name)) return [[name, draft]]
      const was = settings.find((setting) => setting.name === name)?.value ?? null
      return draft.text === sent[name] ? [] : [[name, { ...draft, was }]]
    }),
  )

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
