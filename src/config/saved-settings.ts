import { findConflicts } from './check-config.ts'
import { readSetting } from './read-setting.ts'
import { SettingError } from './setting-error.ts'
import { isFixed, type SettingOrigins } from './setting-origin.ts'
import { type Config, runTimeNames, type SettingName, settings } from './settings.ts'

/** Values that were saved in the console, as they were written. */
export type SavedSettings = ReadonlyMap<SettingName, unknown>

/** What a server was started with, and where each value came from. */
export type StartedConfig = { config: Config; origins: SettingOrigins }

export type EffectiveConfig = StartedConfig & {
  /** Saved values that are not used, with the reason. */
  ignored: ReadonlyMap<SettingName, string>
}

/**
 * The settings with what was saved: after flags and the environment, before the file. A saved value that has become invalid, or
 * conflicts with what the server was started with, is ignored: it must not keep a server from starting.
 */
export const applySaved = ({ config, origins }: StartedConfig, saved: SavedSettings): EffectiveConfig => {
  const ignored = new Map<SettingName, string>()
  const values = new Map<SettingName, unknown>()
  for (const name of runTimeNames) {
    if (!saved.has(name) || isFixed(origins[name])) continue
    try {
      const value = readSetting(name, saved.get(name), savedPlace(name))
      requireNotLowered(name, value, config[name])
      values.set(name, value)
    } catch (error) {
      if (!(error instanceof SettingError)) throw error
      ignored.set(name, error.message)
    }
  }
  const known = new Set(findConflicts(config).map(({ message }) => message))
  // Each pass drops at least one value.
  for (let effective = merge(config, values); ; effective = merge(config, values)) {
    const dropped = findConflicts(effective)
      .filter(({ message }) => !known.has(message))
      .flatMap(({ names, message }) => names.filter((name) => values.has(name)).map((name) => ({ name, message })))
    if (dropped.length === 0) return { config: effective, origins: mergeOrigins(origins, values), ignored }
    for (const { name, message } of dropped) {
      ignored.set(name, message)
      values.delete(name)
    }
  }
}

/** Who has taken over the account of the owner must not be able to have their traces deleted. */
const requireNotLowered = (name: SettingName, value: unknown, started: unknown): void => {
  if ('raisedOnly' in settings[name] && Number(value) < Number(started))
    throw new SettingError(
      `'${name}': expected at least ${started}, with which the server was started. Lower it in the environment or the file`,
    )
}

export const savedPlace = (name: SettingName) => (): string => `'${name}'`

/** Sound because each value was read by the setting of its name. */
const merge = (config: Config, values: ReadonlyMap<SettingName, unknown>): Config =>
  ({ ...config, ...Object.fromEntries(values) }) as Config

const mergeOrigins = (origins: SettingOrigins, values: ReadonlyMap<SettingName, unknown>): SettingOrigins => ({
  ...origins,
  ...Object.fromEntries([...values.keys()].map((name) => [name, { source: 'console', place: null } as const])),
})
