import { parseJsonText } from '../base/parse-json-text.ts'
import { orNull, readObject } from './read-object.ts'
import { type Described, integer, list, modelName, refuse, type Setting, text } from './setting.ts'
import { atIndex, readEach, SettingError } from './setting-error.ts'

/** One model of the setting `models`. */
export type ModelSetting = {
  name: string
  /** A model folder or a GGUF file. */
  path: string
  aliases: readonly string[]
  /** Null: the model's own. */
  contextTokens: number | null
  /** Null: `engineSlots`. */
  slots: number | null
  /** Null: `modelIdleMinutes`. */
  idleMinutes: number | null
  default: boolean
}

/** Minutes; the longest is a year. */
export const idleMinutesRange = { min: 0, max: 525_600 }
export const contextTokensRange = { min: 256, max: 1_048_576 }
export const slotsRange = { min: 1, max: 256 }

const maxModels = 1000
const kind = 'a JSON array of objects with `name` and `path`'

/** A list of models, as JSON. Names and aliases are unique in it, and at most one model is the default. */
export const models = (options: Described<readonly ModelSetting[]>): Setting<readonly ModelSetting[]> => ({
  ...options,
  kind,
  // Too long for a command line, and `--models` is an option of several commands.
  hasNoFlag: true,
  read(value) {
    const items = typeof value === 'string' ? parse(value) : value
    if (!Array.isArray(items) || items.length > maxModels) return refuse(kind)
    const found = readEach(items, (item: unknown, index) => atIndex(index, () => readModel(item, index)))
    const names = found.flatMap(({ name, aliases }) => [name, ...aliases])
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined) throw new SettingError(`the name or alias '${twice}' appears twice`)
    if (found.filter((model) => model.default).length > 1)
      throw new SettingError('more than one model is marked as the default')
    return found
  },
})

const parse = (value: string): unknown => {
  try {
    return parseJsonText(value)
  } catch {
    return refuse(kind)
  }
}

const readName = modelName({ default: null, text: '' }).read

const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
  name: readName,
  path: text({ default: null, text: '' }).read,
  aliases: (value) => list({ default: [], text: '' }).read(value).map(readName),
  contextTokens: orNull(integer({ default: null, ...contextTokensRange, text: '' }).read),
  slots: orNull(integer({ default: null, ...slotsRange, text: '' }).read),
  idleMinutes: orNull(integer({ default: null, ...idleMinutesRange, text: '' }).read),
  default: (value) => (typeof value === 'boolean' ? value : refuse('true or false')),
}
const absent = { aliases: [], contextTokens: null, slots: null, idleMinutes: null, default: false }

const readModel = (item: unknown, index: number): ModelSetting => {
  const required = ['name', 'path']
  const model = readObject(item, {
    where: `model ${index + 1}`,
    readers,
    required,
    kind: 'an object with `name` and `path`',
  })
  return asModelSetting({ ...absent, ...model })
}

/** Safe because each field comes from its own reader, `absent`, or was required. */
const asModelSetting = (model: Record<string, unknown>): ModelSetting => model as ModelSetting
