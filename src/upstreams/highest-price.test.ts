import { expect, test } from 'vitest'
import { highestPrice } from './highest-price.ts'

test('upstreams of different prices: the highest of each part; without any there is none', () => {
  const cheap = { promptMicros: 1, cachedMicros: 1, completionMicros: 9 }
  const dear = { promptMicros: 5, cachedMicros: 2, completionMicros: 8 }
  expect(highestPrice([cheap, null, dear])).toEqual({ promptMicros: 5, cachedMicros: 2, completionMicros: 9 })
  expect(highestPrice([null])).toBeNull()
})
