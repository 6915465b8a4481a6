import { isModelName } from '../base/model-name.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import { type CanarySetting, readCanary } from './canary-setting.ts'
import { type PriceSetting, readPrice } from './price-setting.ts'
import { orNull, readObject } from './read-object.ts'
import { choice, choices, type Described, httpUrl, integer, list, refuse, type Setting } from './setting.ts'
import { atIndex, readEach, SettingError, within } from './setting-error.ts'
import {
  type UpstreamCapability,
  type UpstreamKind,
  upstreamCapabilities,
  upstreamFields,
  upstreamKinds,
} from './upstream-names.ts'

/** One upstream of the setting `upstreams`, or one that was added while the server runs. */
export type UpstreamSetting = {
  name: string
  url: string
  key: string | null
  /** The environment variable that contains the key. */
  keyFrom: string | null
  kind: UpstreamKind
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
  /** Null: those that it lists at `/v1/models`. */
  models: readonly UpstreamModelSetting[] | null
}

type UpstreamModelSetting = {
  name: string
  /** Null: the same name. */
  upstreamName: string | null
  aliases: readonly string[]
  weight: number
  contextTokens: number | null
  tokenizer: string | null
  /** Null: those of the upstream. */
  capabilities: readonly UpstreamCapability[] | null
  /** The most prompt tokens that an image is reserved; null: the usual number. */
  imageTokens: number | null
  /** Null: that of the upstream. */
  price: PriceSetting | null
  default: boolean
  /** Only of an embedding model of an engine node; it cannot be set. */
  embedding?: { vectorLength: number | null }
  /** Only of a reranker of an engine node; it cannot be set. */
  reranks?: true
}

const maxUpstreams = 100
const maxModels = 500
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
    if (!Array.isArray(items) || items.length > maxUpstreams) return refuse(kind)
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
  const upstream = readObject(item, {
    where: named,
    readers,
    required: ['name', 'url'],
    kind: 'an object with `name` and `url`',
  })
  const read = asUpstreamSetting({ ...absent, ...upstream })
  if (read.key !== null && read.keyFrom !== null) throw new SettingError(`${named}: set key or keyFrom, not both`)
  return read
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

/** Names of models are the upstream's own, such as `org/model:tag`. */
const readModelName = (value: unknown): string =>
  typeof value === 'string' && isModelName(value) && !/\s/.test(value)
    ? value
    : refuse('a name of up to 200 printable characters without spaces and ../')
const timeout = integer({ default: null, min: 1, max: longestTimeoutMs, text: '' }).read

const readProbeInterval = (value: unknown): number =>
  value === 0 ? 0 : integer({ default: 0, min: 1000, max: longestTimeoutMs, text: '' }).read(value)

const readWeight = (value: unknown): number =>
  typeof value === 'number' && value >= 0.01 && value <= 100 ? value : refuse('a number from 0.01 to 100')

const readCapabilities = (value: unknown): UpstreamCapability[] => {
  const kind = `a list of ${upstreamCapabilities.join(', ')}`
  if (!Array.isArray(value)) return refuse(kind)
  return value.map((word: unknown) => upstreamCapabilities.find((known) => known === word) ?? refuse(kind))
}

const modelReaders = {
  name: readModelName,
  upstreamName: orNull(readModelName),
  aliases: (value: unknown) => list({ default: [], text: '' }).read(value).map(readModelName),
  weight: readWeight,
  contextTokens: orNull(integer({ default: null, min: 1, max: 1_000_000_000, text: '' }).read),
  tokenizer: orNull(textLike(/^.+$/s, 'a path')),
  capabilities: orNull(readCapabilities),
  imageTokens: orNull(integer({ default: null, min: 1, max: 1_000_000, text: '' }).read),
  price: orNull(readPrice),
  default: (value: unknown) => (typeof value === 'boolean' ? value : refuse('true or false')),
}
const absentInModel = {
  ...{ upstreamName: null, aliases: [], weight: 1, contextTokens: null },
  ...{ tokenizer: null, capabilities: null, imageTokens: null, price: null, default: false },
}

const readModels = (value: unknown): UpstreamModelSetting[] => {
  if (!Array.isArray(value) || value.length > maxModels) return refuse('a list of names or objects with `name`')
  const readModel = (item: unknown, index: number): UpstreamModelSetting => {
    const where = `model ${index + 1}`
    if (typeof item === 'string')
      return asModelSetting({ ...absentInModel, name: within(where, () => readModelName(item)) })
    const model = readObject(item, { where, readers: modelReaders, required: ['name'], kind: 'a name or an object' })
    return asModelSetting({ ...absentInModel, ...model })
  }
  const models = readEach(value, (item: unknown, index) => atIndex(index, () => readModel(item, index)))
  const names = models.flatMap(({ name, aliases }) => [name, ...aliases])
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new SettingError(`the name or alias '${twice}' appears twice`)
  return models
}

const readers = {
  name: textLike(namePattern, "letters, digits, '.', '_' and '-', starting with a letter or digit"),
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
  models: orNull(readModels),
}
const absent = {
  ...{ key: null, keyFrom: null, kind: 'compatible', features: [], maxInFlight: 64 },
  ...{ connectTimeoutMs: 10_000, firstByteTimeoutMs: 300_000, silenceTimeoutMs: 300_000 },
  ...{ price: null, capabilities: [], models: null },
  ...{ probeIntervalMs: 30_000, canary: null },
}

/** Safe because each field comes from its own reader or the defaults, or was required. */
const asUpstreamSetting = (upstream: Record<string, unknown>): UpstreamSetting => upstream as UpstreamSetting
const asModelSetting = (model: Record<string, unknown>): UpstreamModelSetting => model as UpstreamModelSetting
