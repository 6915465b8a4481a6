import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { checkConfig } from './check-config.ts'
import { SettingError } from './setting.ts'
import { type Config, environmentName, flagName, type SettingName, settingNames, settings } from './settings.ts'

/**
 * Settings come from flags, then the environment, then `helix.config.json`, then defaults. Anything unknown or malformed
 * stops the program with one line that names it. This room is the only reader of the environment.
 */
export type Sources = {
  /** Values of `--data-dir` and its like, by setting name. */
  flags: Partial<Record<SettingName, string>>
  environment: Readonly<Record<string, string | undefined>>
  /** Null: no file; a string: the file of that path must be there; undefined: `helix.config.json`, if there is one. */
  configFile?: string | null | undefined
}

export const loadConfig = ({ flags, environment, configFile }: Sources): Config => {
  const file = readConfigFile(configFile)
  refuseUnknown(Object.keys(file.values), settingNames, (name) => `${file.path}: unknown setting '${name}'`)
  const known = settingNames.map(environmentName)
  const named = Object.keys(environment).filter((name) => name.startsWith('HELIX_'))
  refuseUnknown(named, known, (name) => `unknown setting ${name} in the environment`)

  const pick = (name: SettingName): unknown => {
    const variable = environmentName(name)
    if (flags[name] !== undefined) return readSetting(name, flags[name], `--${flagName(name)}`)
    if (environment[variable] !== undefined) return readSetting(name, environment[variable], variable)
    if (name in file.values) return readSetting(name, file.values[name], `'${name}' in ${file.path}`)
    return settings[name].default
  }
  return checkConfig(asConfig(Object.fromEntries(settingNames.map((name) => [name, pick(name)]))))
}

export const environment = (): Readonly<Record<string, string | undefined>> => process.env

/** Sound because every name of `settingNames` was filled by that setting's own reader or default. */
const asConfig = (values: Record<string, unknown>): Config => values as Config

const readSetting = (name: SettingName, value: unknown, where: string): unknown => {
  const setting = settings[name]
  try {
    return setting.read(value)
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    const shown = 'secret' in setting ? '' : `, not ${withoutPasswords(JSON.stringify(value))}`
    throw new SettingError(`${where}: ${error.message}${shown}`)
  }
}

/** A URL may carry a name and a password, and an error message ends up in a log. */
const withoutPasswords = (text: string): string => text.replace(/\/\/[^/]*@/g, '//…@')

const readConfigFile = (configFile: string | null | undefined): { path: string; values: Record<string, unknown> } => {
  const path = configFile ?? 'helix.config.json'
  if (configFile === null) return { path, values: {} }
  let content: string
  try {
    content = readFileSync(resolve(path), 'utf8')
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (missing && configFile === undefined) return { path, values: {} }
    throw new SettingError(`${path}: ${missing ? 'the file does not exist' : 'the file cannot be read'}`)
  }
  try {
    const values: unknown = JSON.parse(content)
    if (typeof values === 'object' && values !== null && !Array.isArray(values)) return { path, values: { ...values } }
  } catch {}
  throw new SettingError(`${path}: expected a single JSON object`)
}

const refuseUnknown = (names: string[], known: readonly string[], say: (name: string) => string): void => {
  for (const name of names) {
    if (known.includes(name)) continue
    const near = known.find((candidate) => isNear(name, candidate))
    throw new SettingError(`${say(name)}${near === undefined ? '' : `; did you mean ${near}?`}`)
  }
}

/** The same letters but for one slip: a letter too many, too few, wrong, or two swapped; or another case. */
const isNear = (a: string, b: string): boolean => {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()]
  if (Math.abs(x.length - y.length) > 1) return false
  let start = 0
  while (start < x.length && x[start] === y[start]) start += 1
  let end = 0
  while (end < x.length - start && end < y.length - start && x.at(-1 - end) === y.at(-1 - end)) end += 1
  return Math.max(x.length, y.length) - start - end <= 2
}
