import { expect, test } from 'vitest'
import { priceOfSetting, readPrice } from './price-setting.ts'

test('a price is read in units for a million tokens, and kept exactly in micros', () => {
  expect(priceOfSetting(readPrice({ prompt: 0.1, cached: 0.000001, completion: 12.345678 }))).toEqual({
    promptMicros: 100_000,
    cachedMicros: 1,
    completionMicros: 12_345_678,
  })
  expect(priceOfSetting(readPrice({ completion: 1_000_000 }))).toEqual({
    promptMicros: 0,
    cachedMicros: 0,
    completionMicros: 1_000_000_000_000,
  })
})

test('cached tokens cost as much as the rest of the prompt unless they have a price', () => {
  expect(readPrice({ prompt: 2.5 })).toEqual({ prompt: 2.5, cached: 2.5, completion: 0 })
  expect(readPrice({ prompt: 2.5, cached: 0 })).toEqual({ prompt: 2.5, cached: 0, completion: 0 })
})

test.each([
  [{ prompt: -1 }, 'prompt: expected a number'],
  [{ prompt: 0.0000001 }, 'prompt: expected a number'],
  [{ cached: '2.50' }, 'cached: expected a number'],
  [{ completion: 1_000_000.5 }, 'completion: expected a number'],
  [{ completion: Number.NaN }, 'completion: expected a number'],
  [{ input: 1 }, 'input: unknown field'],
  [[], 'expected an object'],
  [3, 'expected an object'],
])('%j is refused, with the field', (value, message) => {
  expect(() => readPrice(value)).toThrow(message)
})
