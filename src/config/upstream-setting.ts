import { isRecord } from '../base/is-record.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import { type BuiltInTool, builtInTools } from './built-in-tools.ts'
import { type CanarySetting, readCanary } from './canary-setting.ts'
import { type PriceSetting, readPrice } from './price-setting.ts'
import { orNull, readObject } from './read-object.ts'
import { choice, choices, type Described, integer, refuse, type Setting } from './setting.ts'
import { atIndex, readEach, SettingError } from './setting-error.ts'
import { readCapabilities, readModels, type UpstreamModelSetting } from './upstream-model-setting.ts'
import { type UpstreamCapability, type UpstreamKind, upstreamFields, upstreamKinds } from './upstream-names.ts'
import { findPreset, type UpstreamPresetName, upstreamPresetNames } from './upstream-presets.ts'
import { httpUrl } from './url-setting.ts'

/** One upstream of the setting `upstreams`, or one that was added while the server runs. */
export type UpstreamSetting = {
  name: string
  /** The row of the table that gave what was not set; null: none. Prices of hosted models are those of its provider. */
  preset: UpstreamPresetName | null
  url: string
  key: string | null
  /** The environment variable that contains the key. */
  keyFrom: string | null
  kind: UpstreamKind
  /** Only for Azure's older addresses, which name the deployment; null: none. */
  apiVersion: string | null
  /** Empty: those of its kind. */
  features: readonly string[]
  maxInFlight: number
  connectTimeoutMs: number
  firstByteTimeoutMs: number
  silenceTimeoutMs: number
  /** 0: it is not probed while it is idle. */
  probeIntervalMs: number
  /** Null: no canary generations. */
  canary: CanarySetting | null
  /** Of its models that have none of their own. */
  price: PriceSetting | null
  /** Of its models that name none. */
  capabilities: readonly UpstreamCapability[]
  /** The tools that it may run itself, in requests to `/v1/responses`. */
  builtInTools: readonly BuiltInTool[]
  /** Null: those that it lists at `/v1/models`. */
  models: readonly UpstreamModelSetting[] | null
}

const maxUpstreams = 100
const kind = 'a JSON array of objects with `name` and `url`'
const longestTimeoutMs = 3_600_000

/** A list of upstreams, as JSON. Their names are unique, and at most one of their models is the default. */
export const upstreams = (options: Described<readonly UpstreamSetting[]>): Setting<readonly UpstreamSetting[]> => ({
  ...options,
  kind,
  // Too long for a command line, and keys do not belong there.
  hasNoFlag: true,
  secret: true,
  read(value) {
    const items = typeof value === 'string' ? parse(value) : value
    if (!Array.isArray(items)) return refuse(kind)
    if (items.length > maxUpstreams)
      throw new SettingError(`${items.length} upstreams, and at most ${maxUpstreams} are possible`)
    const found = readEach(items, (item: unknown, index) =>
      atIndex(index, () => readUpstream(item, `upstream ${index + 1}`)),
    )
    const names = found.map(({ name }) => name)
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined) throw new SettingError(`the name '${twice}' appears twice`)
    if (found.flatMap(({ models }) => models ?? []).filter((model) => model.default).length > 1)
      throw new SettingError('more than one model is marked as the default')
    return found
  },
})

/** Throws a `SettingError` that names the upstream and the field, and contains no value: it might be a key. */
export const readUpstream = (item: unknown, where: string): UpstreamSetting => {
  const named = isNamed(item) ? `${where} (${item.name})` : where
  const preset = presetValues(item)
  const upstream = readObject(item, {
    where: named,
    readers,
    required: preset.url === undefined ? ['name', 'url'] : ['name'],
    kind: 'an object with `name` and `url`',
  })
  const read = asUpstreamSetting({ ...absent, ...preset, ...upstream })
  if (read.apiVersion !== null && read.kind !== 'azure')
    throw new SettingError(`${named}, apiVersion: only for upstreams of the kind azure`)
  if (!mayHaveResponses(read) && capabilitiesOf(read).includes('responses_for_chat'))
    throw new SettingError(
      `${named}, capabilities: responses_for_chat is not for the kind anthropic, nor for apiVersion`,
    )
  if (read.key !== null && read.keyFrom !== null) throw new SettingError(`${named}: set key or keyFrom, not both`)
  return read
}

const mayHaveResponses = ({ kind, apiVersion }: UpstreamSetting): boolean => kind !== 'anthropic' && apiVersion === null

const capabilitiesOf = ({ capabilities, models }: UpstreamSetting): readonly UpstreamCapability[] => [
  ...capabilities,
  ...(models ?? []).flatMap((model) => model.capabilities ?? []),
]

/** What the preset of an upstream sets. */
const presetValues = (item: unknown): Partial<UpstreamSetting> => {
  const preset = isRecord(item) ? findPreset(item.preset) : null
  if (preset === null) return {}
  const { url, kind, features = [], capabilities = [] } = preset
  return { ...(url === null ? {} : { url }), kind, features, capabilities }
}

const parse = (value: string): unknown => {
  try {
    return parseJsonText(value)
  } catch {
    return refuse(kind)
  }
}

const namePattern = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u
const isNamed = (item: unknown): item is { name: string } =>
  typeof item === 'object' && item !== null && 'name' in item && matches(namePattern)(item.name)

const matches =
  (pattern: RegExp) =>
  (value: unknown): value is string =>
    typeof value === 'string' && pattern.test(value)
const textLike =
  (pattern: RegExp, expected: string) =>
  (value: unknown): string =>
    matches(pattern)(value) ? value : refuse(expected)

const timeout = integer({ default: null, min: 1, max: longestTimeoutMs, text: '' }).read

const readProbeInterval = (value: unknown): number =>
  value === 0 ? 0 : integer({ default: 0, min: 1000, max: longestTimeoutMs, text: '' }).read(value)

const readers = {
  name: textLike(namePattern, "letters, digits, '.', '_' and '-', starting with a letter or digit"),
  preset: orNull(choice(upstreamPresetNames, { default: 'openai', text: '' }).read),
  apiVersion: orNull(textLike(/^[\w.-]{1,40}$/, 'a version such as 2024-10-21')),
  url: httpUrl({ default: null, text: '' }).read,
  key: orNull(textLike(/^[\x21-\x7e]{1,1000}$/, 'up to 1000 printable ASCII characters without spaces')),
  keyFrom: orNull(textLike(/^[A-Za-z_]\w{0,254}$/, 'the name of an environment variable')),
  kind: choice(upstreamKinds, { default: 'compatible', text: '' }).read,
  features: choices(['none', ...upstreamFields], { default: [], text: '' }).read,
  maxInFlight: integer({ default: null, min: 1, max: 10_000, text: '' }).read,
  connectTimeoutMs: timeout,
  firstByteTimeoutMs: timeout,
  silenceTimeoutMs: timeout,
  probeIntervalMs: readProbeInterval,
  canary: orNull(readCanary),
  price: orNull(readPrice),
  capabilities: readCapabilities,
  builtInTools: choices(builtInTools, { default: [], text: '' }).read,
  models: orNull(readModels),
}
const absent = {
  ...{ preset: null, apiVersion: null, key: null, keyFrom: null, kind: 'compatible', features: [], maxInFlight: 64 },
  ...{ connectTimeoutMs: 10_000, firstByteTimeoutMs: 300_000, silenceTimeoutMs: 300_000 },
  ...{ price: null, capabilities: [], builtInTools: [], models: null },
  ...{ probeIntervalMs: 30_000, canary: null },
}

/** Safe because each field comes from its own reader or the defaults, or was required. */
const asUpstreamSetting = (upstream: Record<string, unknown>): UpstreamSetting => upstream as UpstreamSetting
