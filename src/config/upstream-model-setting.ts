import { isModelName } from '../base/model-name.ts'
import { type PriceSetting, readPrice } from './price-setting.ts'
import { orNull, readObject } from './read-object.ts'
import { choice, integer, list, refuse } from './setting.ts'
import { atIndex, readEach, SettingError, within } from './setting-error.ts'
import {
  type UpstreamCapability,
  type UpstreamModelKind,
  upstreamCapabilities,
  upstreamModelKinds,
} from './upstream-names.ts'

/** A model of an upstream, as the operator names it. */
export type UpstreamModelSetting = {
  name: string
  /** Null: the same name. */
  upstreamName: string | null
  kind: UpstreamModelKind
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
  /** How many numbers a vector has, if that is known; only of an engine node. It cannot be set. */
  vectorLength?: number
  /** Which weights an engine node runs. It cannot be set. */
  weightsId?: string
}

const maxModels = 500

export const readModels = (value: unknown): UpstreamModelSetting[] => {
  if (!Array.isArray(value)) return refuse('a list of names or objects with `name`')
  if (value.length > maxModels) return refuse(`at most ${maxModels} models, and these are ${value.length}`)
  const models = readEach(value, (item: unknown, index) => atIndex(index, () => readModel(item, index)))
  const names = models.flatMap(({ name, aliases }) => [name, ...aliases])
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new SettingError(`the name or alias '${twice}' appears twice`)
  return models
}

export const readCapabilities = (value: unknown): UpstreamCapability[] => {
  const kind = `a list of ${upstreamCapabilities.join(', ')}`
  if (!Array.isArray(value)) return refuse(kind)
  return value.map((word: unknown) => upstreamCapabilities.find((known) => known === word) ?? refuse(kind))
}

const readModel = (item: unknown, index: number): UpstreamModelSetting => {
  const where = `model ${index + 1}`
  if (typeof item === 'string') return asModelSetting({ ...absent, name: within(where, () => readModelName(item)) })
  const read = readObject(item, { where, readers, required: ['name'], kind: 'a name or an object' })
  const model = asModelSetting({ ...absent, ...read })
  if (model.default && model.kind !== 'chat')
    throw new SettingError(`${where}, default: only a chat model can be the default`)
  return model
}

/** Names of models are the upstream's own, such as `org/model:tag`. */
const readModelName = (value: unknown): string =>
  typeof value === 'string' && isModelName(value) && !/\s/.test(value)
    ? value
    : refuse('a name of up to 200 printable characters without spaces and ../')

const readWeight = (value: unknown): number =>
  typeof value === 'number' && value >= 0.01 && value <= 100 ? value : refuse('a number from 0.01 to 100')

const readers = {
  name: readModelName,
  upstreamName: orNull(readModelName),
  kind: choice(upstreamModelKinds, { default: 'chat', text: '' }).read,
  aliases: (value: unknown) => list({ default: [], text: '' }).read(value).map(readModelName),
  weight: readWeight,
  contextTokens: orNull(integer({ default: null, min: 1, max: 1_000_000_000, text: '' }).read),
  tokenizer: orNull((value) => (typeof value === 'string' && value !== '' ? value : refuse('a path'))),
  capabilities: orNull(readCapabilities),
  imageTokens: orNull(integer({ default: null, min: 1, max: 1_000_000, text: '' }).read),
  price: orNull(readPrice),
  default: (value: unknown) => (typeof value === 'boolean' ? value : refuse('true or false')),
}
const absent = {
  ...{ upstreamName: null, kind: 'chat', aliases: [], weight: 1, contextTokens: null },
  ...{ tokenizer: null, capabilities: null, imageTokens: null, price: null, default: false },
}

/** Safe because each field comes from its own reader or the defaults, or was required. */
const asModelSetting = (model: Record<string, unknown>): UpstreamModelSetting => model as UpstreamModelSetting
