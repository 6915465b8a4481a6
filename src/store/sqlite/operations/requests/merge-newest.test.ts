import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeNewest } from './merge-newest.ts'

type Item = { list: 'a' | 'b'; at: number; index: number }

const listOf = (list: Item['list']) =>
  fc.array(fc.nat({ max: 9 })).map((times) => times.map((at, index): Item => ({ list, at, index })))
const merge = (a: readonly Item[], b: readonly Item[]): Item[] => [...mergeNewest(a, b, ({ at }) => at)]

test('nothing is left out or doubled, and each list keeps its order, whatever its times', () => {
  fc.assert(
    fc.property(listOf('a'), listOf('b'), (a, b) => {
      const merged = merge(a, b)
      expect(merged.filter(({ list }) => list === 'a')).toEqual(a)
      expect(merged.filter(({ list }) => list === 'b')).toEqual(b)
    }),
  )
})

test('where both are newest first, so is the whole', () => {
  const sorted = (list: Item['list']) => listOf(list).map((items) => items.toSorted((one, two) => two.at - one.at))
  fc.assert(
    fc.property(sorted('a'), sorted('b'), (a, b) => {
      const times = merge(a, b).map(({ at }) => at)
      expect(times).toEqual(times.toSorted((one, two) => two - one))
    }),
  )
})

test('pages that go on where each list was left are the whole', () => {
  fc.assert(
    fc.property(listOf('a'), listOf('b'), fc.integer({ min: 1, max: 5 }), (a, b, size) => {
      const paged: Item[] = []
      const taken = { a: 0, b: 0 }
      while (taken.a + taken.b < a.length + b.length) {
        const page = merge(a.slice(taken.a), b.slice(taken.b)).slice(0, size)
        for (const { list } of page) taken[list] += 1
        paged.push(...page)
      }
      expect(paged).toEqual(merge(a, b))
    }),
  )
})
