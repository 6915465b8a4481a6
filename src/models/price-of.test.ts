import { expect, test } from 'vitest'
import { createPriceOf } from './price-of.ts'

const price = (promptMicros: number, completionMicros: number) => ({ promptMicros, cachedMicros: 0, completionMicros })

test('the setting comes first, then the price of the model that answers to the name, as it is now', () => {
  const models = new Map([
    ['a', { price: price(1, 20) }],
    ['b', { price: price(5, 5) }],
    // A model on this machine, whatever an upstream calls its own.
    ['local', {}],
  ])
  const priceOf = createPriceOf(
    { b: { prompt: 1, cached: 1, completion: 0 } },
    { find: (name) => models.get(name) ?? null },
  )
  expect(priceOf('a')).toEqual(price(1, 20))
  expect(priceOf('b')).toEqual({ promptMicros: 1_000_000, cachedMicros: 1_000_000, completionMicros: 0 })
  expect([priceOf('local'), priceOf('unknown'), priceOf('__proto__')]).toEqual([null, null, null])
  models.set('a', { price: price(2, 10) })
  expect(priceOf('a')).toEqual(price(2, 10))
})
