import { readFile } from 'node:fs/promises'
import { isRecord } from '../base/is-record.ts'
import { OperatorError } from '../base/operator-error.ts'
import { parseJsonText } from '../base/parse-json-text.ts'
import { type PriceSetting, type PriceSettings, readPrice } from '../config/price-setting.ts'
import { SettingError } from '../config/setting-error.ts'
import { bundledPrices } from './bundled-prices.ts'

/** What hosted models cost at their providers, by preset and by the provider's name of the model. */
export type HostedPrices = {
  /** When they were read, as 2026-11-18. */
  date: string
  /** By preset: when those of a provider were read, if that was another day. */
  dates?: Readonly<Record<string, string>>
  /** Prices in another currency than that of the server are not used. */
  currency: string
  prices: Readonly<Record<string, PriceSettings>>
}

const maxBytes = 4 * 1024 * 1024

/** Those of the operator's file, or the bundled ones. Null if they are in another currency. Throws an `OperatorError`. */
export const openHostedPrices = async (path: string | null, currency: string): Promise<HostedPrices | null> => {
  const prices = path === null ? bundledPrices : await readPrices(path)
  return prices.currency === currency ? prices : null
}

/** The price of a model; names of models may end in a date. Null: there is none. */
export const findHostedPrice = (
  hosted: HostedPrices | null,
  preset: string | null,
  model: string,
): { price: PriceSetting; date: string } | null => {
  const models = hosted === null || preset === null ? undefined : ownValue(hosted.prices, preset)
  if (hosted === null || preset === null || models === undefined) return null
  const price = ownValue(models, model) ?? ownValue(models, model.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, ''))
  return price === undefined ? null : { price, date: ownValue(hosted.dates ?? {}, preset) ?? hosted.date }
}

const ownValue = <Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

const readPrices = async (path: string): Promise<HostedPrices> => {
  const refuse = (reason: string): never => {
    throw new OperatorError(`hostedPrices: ${path}: ${reason}`)
  }
  const bytes = await readFile(path).catch((error: Error) => refuse(error.message))
  if (bytes.length > maxBytes) return refuse(`it has more than ${maxBytes} bytes`)
  try {
    return readFields(parseJsonText(bytes.toString()))
  } catch (error) {
    return refuse(error instanceof SettingError ? error.message : 'it is not JSON')
  }
}

const readFields = (value: unknown): HostedPrices => {
  if (!isRecord(value) || !isRecord(value.prices))
    throw new SettingError('expected an object with `date`, `currency` and `prices`')
  const { date, currency, prices } = value
  if (typeof date !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(date)) throw new SettingError('date: expected YYYY-MM-DD')
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) throw new SettingError('currency: expected a code')
  const read = Object.entries(prices).map(([preset, models]) => [preset, readModels(preset, models)])
  return { date, currency, prices: Object.fromEntries(read) }
}

const readModels = (preset: string, models: unknown): PriceSettings => {
  if (!isRecord(models)) throw new SettingError(`${preset}: expected prices by model name`)
  const read = Object.entries(models).map(([model, price]) => {
    try {
      return [model, readPrice(price)]
    } catch (error) {
      throw error instanceof SettingError ? new SettingError(`${preset}, ${model}: ${error.message}`) : error
    }
  })
  return Object.fromEntries(read)
}
