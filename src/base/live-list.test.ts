import { expect, test } from 'vitest'
import { createLiveList } from './live-list.ts'

test('items leave in any order, and the others stay in the order in which they came', () => {
  const list = createLiveList<string>()
  const [removeA, removeB, removeC, removeD] = ['a', 'b', 'c', 'd'].map((item) => list.add(item))
  removeB?.()
  expect(list.items()).toEqual(['a', 'c', 'd'])
  removeA?.()
  removeD?.()
  expect(list.items()).toEqual(['c'])
  list.add('e')
  expect([list.items(), list.size]).toEqual([['c', 'e'], 2])
  removeC?.()
  expect(list.items()).toEqual(['e'])
})

test('an item that was removed twice is removed once, also if it was added again', () => {
  const list = createLiveList<string>()
  const remove = list.add('a')
  remove()
  const removeAgain = list.add('a')
  remove()
  expect([list.items(), list.size]).toEqual([['a'], 1])
  removeAgain()
  expect([list.items(), list.size]).toEqual([[], 0])
})
