import { describeDefault } from './document-config.ts'
import { type Config, type SettingName, settingNames, settings } from './settings.ts'

type ChangedDefault = { name: SettingName; before: string; now: string }

/** Settings that the operator has left at their default, which is another one than in an earlier version. */
export const listChangedDefaults = (config: Config, before: Readonly<Record<string, string>>): ChangedDefault[] =>
  settingNames.flatMap((name) => {
    const [earlier, now] = [before[name], describeDefault(name)]
    if (earlier === undefined || earlier === now) return []
    const isLeft = JSON.stringify(config[name]) === JSON.stringify(settings[name].default)
    return isLeft ? [{ name, before: earlier, now }] : []
  })

/** Settings that an earlier version did not have. */
export const listNewSettings = (before: Readonly<Record<string, string>>): SettingName[] =>
  settingNames.filter((name) => !(name in before))

/** Settings of an earlier version that are refused now. */
export const listRemovedSettings = (before: Readonly<Record<string, string>>): string[] =>
  Object.keys(before).filter((name) => !settingNames.some((known) => known === name))
