import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { errorCode } from '../base/caught-error.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import { findConflicts } from './check-config.ts'
import { type JsonPath, lineAndColumn, locateJson } from './json-positions.ts'
import { readSetting } from './read-setting.ts'
import type { StartedConfig } from './saved-settings.ts'
import { findSecret, settingVariables } from './secret-file.ts'
import type { SettingSource } from './setting.ts'
import { collecting, SettingError } from './setting-error.ts'
import { defaultOrigins } from './setting-origin.ts'
import { type Config, environmentName, flagName, type SettingName, settingNames, settings } from './settings.ts'
import { findStandard } from './traces-settings.ts'

/**
 * Settings come from flags, then the environment (secrets also from files that it names), then what was saved in the console
 * (`saved-settings.ts`), then `helix.config.json`, then variables of OpenTelemetry, then defaults. Anything unknown or malformed
 * stops the program with an error that names it, with line and column in the file, and all others with it. Only this folder reads the environment.
 */
export type Sources = {
  /** Values of flags such as `--data-dir`, by setting name. */
  flags: Partial<Record<SettingName, string>>
  environment: Readonly<Record<string, string | undefined>>
  /** Null: no file. A string: the path of a file that must exist. Undefined: `helix.config.json`, if it exists. */
  configFile?: string | null | undefined
}

export const loadConfig = (sources: Sources): Config => loadStartedConfig(sources).config

/** The same with where each value came from. */
export const loadStartedConfig = ({ flags, environment, configFile }: Sources): StartedConfig => {
  const file = readConfigFile(configFile)
  const problems: SettingError[] = []
  problems.push(
    ...findUnknown(Object.keys(file.values), settingNames, (name) => `${file.at([name])}: unknown setting '${name}'`),
  )
  const named = Object.keys(environment).filter((name) => name.startsWith('HELIX_'))
  problems.push(...findUnknown(named, settingVariables, (name) => `unknown setting ${name} in the environment`))
  const origins = { ...defaultOrigins }
  const inFile = new Set<SettingName>()
  const from = (name: SettingName, source: SettingSource, place: string, value: unknown): unknown => {
    origins[name] = { source, place }
    return readSetting(name, value, () => place)
  }
  const pick = (name: SettingName): unknown => {
    const variable = environmentName(name)
    if (flags[name] !== undefined) return from(name, 'flag', `--${flagName(name)}`, flags[name])
    const found = 'secret' in settings[name] ? findSecret(environment, variable) : findPlain(environment, name)
    if (found !== null) return from(name, 'environment', found.where, found.value)
    const standard = name in file.values ? null : findStandard(name, environment)
    if (standard !== null) return from(name, 'environment', standard.where, standard.value)
    if (!(name in file.values)) return settings[name].default
    inFile.add(name)
    origins[name] = { source: 'file', place: file.at([name]) }
    return readSetting(name, file.values[name], (path) => `${file.at([name, ...path])}: '${name}'`)
  }
  const entries = settingNames.map((name) => [name, collecting(problems, () => pick(name))])
  throwTogether(problems)
  const config = asConfig(Object.fromEntries(entries))
  const conflicts = findConflicts(config).map(({ names, message }) => {
    const places = names.filter((name) => inFile.has(name)).map((name) => file.at([name]))
    return new SettingError(places.length === 0 ? message : `${message} (${places.join(', ')})`)
  })
  throwTogether(conflicts)
  const upstreams = withKeys(config.upstreams, environment)
  return { config: { ...config, upstreams }, origins }
}

/** As one line if there is one problem, otherwise as a list. */
const throwTogether = (problems: readonly SettingError[]): void => {
  const [only] = problems
  if (only === undefined) return
  if (problems.length === 1) throw only
  const shown = problems.slice(0, shownProblems).map(({ message }) => `  ${message}`)
  const others = problems.length - shown.length
  if (others > 0) shown.push(`  and ${others} more`)
  throw new SettingError(`${problems.length} problems with the settings:\n${shown.join('\n')}`)
}

const shownProblems = 50

export const environment = (): Readonly<Record<string, string | undefined>> => process.env

const findPlain = (variables: Sources['environment'], name: SettingName): { value: string; where: string } | null => {
  const variable = environmentName(name)
  const value = variables[variable]
  const isUnset = value === undefined || (value === '' && !('takesEmpty' in settings[name]))
  return isUnset ? null : { value, where: variable }
}

/** A variable that is not set matters only to the server: other commands run without it. */
const withKeys = (upstreams: Config['upstreams'], variables: Sources['environment']): Config['upstreams'] =>
  upstreams.map((upstream) => ({
    ...upstream,
    key: upstream.keyFrom === null ? upstream.key : (findSecret(variables, upstream.keyFrom)?.value ?? null),
  }))

/** Safe because each name in `settingNames` has a value from its own reader or default. */
const asConfig = (values: Record<string, unknown>): Config => values as Config

type ConfigFile = {
  path: string
  values: Record<string, unknown>
  /** The place of a value, as editors and terminals understand it: `helix.config.json:3:5`. */
  at(path: JsonPath): string
}

const readConfigFile = (configFile: string | null | undefined): ConfigFile => {
  const path = configFile ?? 'helix.config.json'
  const absent = { path, values: {}, at: () => path }
  if (configFile === null) return absent
  let content: string
  try {
    content = readFileSync(resolve(path), 'utf8')
  } catch (error) {
    const missing = errorCode(error) === 'ENOENT'
    if (missing && configFile === undefined) return absent
    throw new SettingError(`${path}: ${missing ? 'the file does not exist' : 'the file cannot be read'}`)
  }
  const place = (offset: number): string => {
    const { line, column } = lineAndColumn(content, offset)
    return `${path}:${line}:${column}`
  }
  const positions = locateJson(content)
  if (!positions.isJson)
    throw new SettingError(`${place(positions.offset)}: the file is not valid JSON: expected ${positions.expected}`)
  const at = (of: JsonPath): string => place(positions.offsetOf(of))
  const values = parseJsonText(content)
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new SettingError(`${at([])}: expected a single JSON object`)
  return { path, values: { ...values }, at }
}

const findUnknown = (names: string[], known: readonly string[], say: (name: string) => string): SettingError[] =>
  names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = known.find((candidate) => isNear(name, candidate))
      return new SettingError(`${say(name)}${near === undefined ? '' : `; did you mean ${near}?`}`)
    })

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
