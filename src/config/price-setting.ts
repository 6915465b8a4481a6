import { isModelName } from '../base/model-name.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import { microsOfNumber } from '../prices/decimal-amount.ts'
import { maxPriceMicros, type Price } from '../prices/price.ts'
import { type Described, refuse, type Setting } from './setting.ts'
import { readEach, SettingError, within } from './setting-error.ts'

/** A price as an operator writes it: units of currency for a million tokens, with at most six decimal places. */
export type PriceSetting = { prompt: number; cached: number; completion: number }
export type PriceSettings = Readonly<Record<string, PriceSetting>>

const amountKind = 'a number from 0 to 1000000 with at most six decimal places'
const priceKind = 'an object with `prompt`, `cached` or `completion`'
const kind = 'a JSON object of prices by model name'
const maxPrices = 1000

/** Prices by model name, as JSON. */
export const prices = (options: Described<PriceSettings>): Setting<PriceSettings> => ({
  ...options,
  kind,
  // Too long for a command line.
  hasNoFlag: true,
  read(value) {
    const entries = readEntries(typeof value === 'string' ? parse(value) : value, kind)
    if (entries.length > maxPrices) return refuse(kind)
    if (!entries.every(([model]) => isModelName(model))) return refuse(kind)
    return Object.fromEntries(
      readEach(entries, ([model, price]) => [model, within(model, () => readPrice(price), model)]),
    )
  },
})

/** Of one model. Cached tokens cost as much as the rest of the prompt unless `cached` says otherwise. */
export const readPrice = (value: unknown): PriceSetting => {
  const amounts = new Map(
    readEach(readEntries(value, priceKind), ([name, amount]): [string, number] => {
      if (!fieldNames.includes(name)) throw new SettingError(`${name}: unknown field`, [name])
      return [name, within(name, () => readAmount(amount), name)]
    }),
  )
  const prompt = amounts.get('prompt') ?? 0
  return { prompt, cached: amounts.get('cached') ?? prompt, completion: amounts.get('completion') ?? 0 }
}

/** In micros, exactly. */
export const priceOfSetting = ({ prompt, cached, completion }: PriceSetting): Price => ({
  promptMicros: microsOfAmount(prompt),
  cachedMicros: microsOfAmount(cached),
  completionMicros: microsOfAmount(completion),
})

const fieldNames = ['prompt', 'cached', 'completion']

const readAmount = (value: unknown): number => {
  if (typeof value !== 'number') return refuse(amountKind)
  microsOfAmount(value)
  return value
}

const microsOfAmount = (amount: number): number => {
  const micros = microsOfNumber(amount)
  return micros === null || micros > maxPriceMicros ? refuse(amountKind) : micros
}

const readEntries = (value: unknown, expected: string): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : refuse(expected)

const parse = (value: string): unknown => {
  try {
    return parseJsonText(value)
  } catch {
    return refuse(kind)
  }
}
