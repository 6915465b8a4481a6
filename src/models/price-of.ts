import { type PriceSettings, priceOfSetting } from '../config/price-setting.ts'
import type { Price } from '../prices/price.ts'
import type { UpstreamSet } from '../upstreams/upstream-set.ts'

/** The current price of a model. Null: it has none. */
export type PriceOf = (model: string) => Price | null

/**
 * The setting `prices` comes first: it names the model itself, not an upstream. Otherwise the price is that of the model's upstreams,
 * for each kind of token the highest, because which of them answers is decided after the reservation.
 */
export const createPriceOf = (settings: PriceSettings, upstreams: Pick<UpstreamSet, 'list'>): PriceOf => {
  const prices = new Map(Object.entries(settings).map(([model, price]) => [model, priceOfSetting(price)]))
  const ofUpstreams = (model: string): Price | null => {
    let highest: Price | null = null
    for (const upstream of upstreams.list())
      for (const { name, price } of upstream.models)
        if (name === model && price !== null) highest = highest === null ? price : higher(highest, price)
    return highest
  }
  return (model) => prices.get(model) ?? ofUpstreams(model)
}

const higher = (one: Price, other: Price): Price => ({
  promptMicros: Math.max(one.promptMicros, other.promptMicros),
  cachedMicros: Math.max(one.cachedMicros, other.cachedMicros),
  completionMicros: Math.max(one.completionMicros, other.completionMicros),
})
