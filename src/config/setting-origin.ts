import { recordFrom } from '../base/record-from.ts'
import type { SettingSource } from './setting.ts'
import { type SettingName, settingNames } from './settings.ts'

export type SettingOrigin = {
  source: SettingSource
  /** The flag, the variable, or the place in the file; null for others. */
  place: string | null
}

export type SettingOrigins = Readonly<Record<SettingName, SettingOrigin>>

export const defaultOrigin: SettingOrigin = { source: 'default', place: null }

/** Of a configuration that no source was read for. */
export const defaultOrigins: SettingOrigins = recordFrom(settingNames.map((name) => [name, defaultOrigin]))

/** Flags and the environment cannot be overruled by what was saved in the console. */
export const isFixed = ({ source }: SettingOrigin): boolean => source === 'flag' || source === 'environment'
