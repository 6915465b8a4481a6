import { type PriceSettings, priceOfSetting } from '../config/price-setting.ts'
import type { Price } from '../prices/price.ts'
import type { ModelPool } from './contract.ts'

/** The current price of a model. Null: it has none. */
export type PriceLookup = (model: string) => Price | null

type PricedModels = { find(name: string): Pick<ModelPool, 'price'> | null }

/** The setting `prices` comes first: it names the model itself, not an upstream. It may change at any time. */
export const createPriceLookup = (settings: { readonly prices: PriceSettings }, models: PricedModels): PriceLookup => {
  let last = readPrices(settings.prices)
  return (model) => {
    if (last.settings !== settings.prices) last = readPrices(settings.prices)
    return last.prices.get(model) ?? models.find(model)?.price ?? null
  }
}

const readPrices = (settings: PriceSettings) => ({
  settings,
  prices: new Map(Object.entries(settings).map(([model, price]) => [model, priceOfSetting(price)])),
})
