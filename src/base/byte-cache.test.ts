import { expect, test } from 'vitest'
import { createByteCache } from './byte-cache.ts'

test('the least recently used values are evicted', () => {
  const cache = createByteCache<string>(10)
  cache.set('a', 'A', 4)
  cache.set('b', 'B', 4)
  expect(cache.get('a')).toBe('A')
  cache.set('c', 'C', 4)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C'])
  expect(cache.bytes).toBe(8)
})

test('a value is counted once, and one larger than the limit is not cached', () => {
  const cache = createByteCache<string>(10)
  cache.set('a', 'A', 4)
  cache.set('a', 'AA', 6)
  expect([cache.get('a'), cache.bytes]).toEqual(['AA', 6])
  cache.set('b', 'B', 11)
  expect([cache.get('a'), cache.get('b'), cache.bytes]).toEqual(['AA', undefined, 6])
  cache.set('a', 'A', 11)
  expect([cache.get('a'), cache.bytes]).toEqual([undefined, 0])
})
