import { expect, test } from 'vitest'
import { createPriceLookup } from './price-lookup.ts'

const price = (promptMicros: number, completionMicros: number) => ({ promptMicros, cachedMicros: 0, completionMicros })

test('the setting comes first, then the price of the model that answers to the name, as it is now', () => {
  const models = new Map([
    ['a', { price: price(1, 20) }],
    ['b', { price: price(5, 5) }],
    // A model on this machine, whatever an upstream calls its own.
    ['local', {}],
  ])
  const findPrice = createPriceLookup(
    { prices: { b: { prompt: 1, cached: 1, completion: 0 } } },
    { find: (name) => models.get(name) ?? null },
  )
  expect(findPrice('a')).toEqual(price(1, 20))
  expect(findPrice('b')).toEqual({ promptMicros: 1_000_000, cachedMicros: 1_000_000, completionMicros: 0 })
  expect([findPrice('local'), findPrice('unknown'), findPrice('__proto__')]).toEqual([null, null, null])
  models.set('a', { price: price(2, 10) })
  expect(findPrice('a')).toEqual(price(2, 10))
})
