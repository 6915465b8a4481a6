import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { errorCode } from '../base/caught-error.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import { checkConfig } from './check-config.ts'
import { findSecret, settingVariables } from './secret-file.ts'
import { SettingError } from './setting.ts'
import { type Config, environmentName, flagName, type SettingName, settingNames, settings } from './settings.ts'

/**
 * Settings come from flags, then the environment (secrets also from files that it names), then `helix.config.json`, then defaults. Anything unknown or malformed
 * stops the program with a one-line error that names it. Only this folder reads the environment.
 */
export type Sources = {
  /** Values of flags such as `--data-dir`, by setting name. */
  flags: Partial<Record<SettingName, string>>
  environment: Readonly<Record<string, string | undefined>>
  /** Null: no file. A string: the path of a file that must exist. Undefined: `helix.config.json`, if it exists. */
  configFile?: string | null | undefined
}

export const loadConfig = ({ flags, environment, configFile }: Sources): Config => {
  const file = readConfigFile(configFile)
  refuseUnknown(Object.keys(file.values), settingNames, (name) => `${file.path}: unknown setting '${name}'`)
  const named = Object.keys(environment).filter((name) => name.startsWith('HELIX_'))
  refuseUnknown(named, settingVariables, (name) => `unknown setting ${name} in the environment`)

  const pick = (name: SettingName): unknown => {
    const variable = environmentName(name)
    if (flags[name] !== undefined) return readSetting(name, flags[name], `--${flagName(name)}`)
    const found = 'secret' in settings[name] ? findSecret(environment, variable) : findPlain(environment, variable)
    if (found !== null) return readSetting(name, found.value, found.where)
    if (name in file.values) return readSetting(name, file.values[name], `'${name}' in ${file.path}`)
    return settings[name].default
  }
  const config = asConfig(Object.fromEntries(settingNames.map((name) => [name, pick(name)])))
  return checkConfig({ ...config, upstreams: withKeys(config.upstreams, environment) })
}

export const environment = (): Readonly<Record<string, string | undefined>> => process.env

const findPlain = (variables: Sources['environment'], variable: string): { value: string; where: string } | null => {
  const value = variables[variable]
  return value === undefined ? null : { value, where: variable }
}

/** A variable that is not set matters only to the server: other commands run without it. */
const withKeys = (upstreams: Config['upstreams'], variables: Sources['environment']): Config['upstreams'] =>
  upstreams.map((upstream) => ({
    ...upstream,
    key: upstream.keyFrom === null ? upstream.key : (findSecret(variables, upstream.keyFrom)?.value ?? null),
  }))

/** Safe because each name in `settingNames` has a value from its own reader or default. */
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

/** A URL may contain a user name and password, and error messages appear in logs. */
const withoutPasswords = (text: string): string => text.replace(/\/\/[^/]*@/g, '//…@')

const readConfigFile = (configFile: string | null | undefined): { path: string; values: Record<string, unknown> } => {
  const path = configFile ?? 'helix.config.json'
  if (configFile === null) return { path, values: {} }
  let content: string
  try {
    content = readFileSync(resolve(path), 'utf8')
  } catch (error) {
    const missing = errorCode(error) === 'ENOENT'
    if (missing && configFile === undefined) return { path, values: {} }
    throw new SettingError(`${path}: ${missing ? 'the file does not exist' : 'the file cannot be read'}`)
  }
  try {
    const values = parseJsonText(content)
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

/** True if the names differ only in case, or by one extra, missing, wrong or swapped letter. */
const isNear = (a: string, b: string): boolean => {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()]
  if (Math.abs(x.length - y.length) > 1) return false
  let start = 0
  while (start < x.length && x[start] === y[start]) start += 1
  let end = 0
  while (end < x.length - start && end < y.length - start && x.at(-1 - end) === y.at(-1 - end)) end += 1
  return Math.max(x.length, y.length) - start - end <= 2
}
