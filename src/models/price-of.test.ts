import { expect, test } from 'vitest'
import type { Upstream } from '../upstreams/contract.ts'
import { defaultUpstream, defaultUpstreamModel } from '../upstreams/default-upstream.ts'
import { createPriceOf } from './price-of.ts'

const price = (promptMicros: number, completionMicros: number) => ({
  ...{ promptMicros, cachedMicros: promptMicros, completionMicros },
})
const upstream = (name: string, prices: Record<string, ReturnType<typeof price> | null>): Upstream => ({
  ...{ ...defaultUpstream, name, baseUrl: `http://${name}/v1` },
  models: Object.entries(prices).map(([model, its]) => ({
    ...{ ...defaultUpstreamModel, name: model, upstreamName: model, price: its },
  })),
})

test('the setting comes first, then the highest price of the upstreams, as they are now', () => {
  let list = [upstream('one', { a: price(1, 20), b: price(5, 5) }), upstream('two', { a: price(2, 10), c: null })]
  const priceOf = createPriceOf({ b: { prompt: 1, cached: 1, completion: 0 } }, { list: () => list })
  expect(priceOf('a')).toEqual(price(2, 20))
  expect(priceOf('b')).toEqual({ promptMicros: 1_000_000, cachedMicros: 1_000_000, completionMicros: 0 })
  expect([priceOf('c'), priceOf('__proto__')]).toEqual([null, null])
  list = list.slice(1)
  expect(priceOf('a')).toEqual(price(2, 10))
})
