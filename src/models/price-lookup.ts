import { type PriceSettings, priceOfSetting } from '../config/price-setting.ts'
import type { Price } from '../prices/price.ts'
import type { ModelPool } from './contract.ts'

/** The current price of a model. Null: it has none. */
export type PriceLookup = (model: string) => Price | null

type PricedModels = { find(name: string): Pick<ModelPool, 'price'> | null }

/** The setting `prices` comes first: it names the model itself, not an upstream. */
export const createPriceLookup = (settings: PriceSettings, models: PricedModels): PriceLookup => {
  const prices = new Map(Object.entries(settings).map(([model, price]) => [model, priceOfSetting(price)]))
  return (model) => prices.get(model) ?? models.find(model)?.price ?? null
}
