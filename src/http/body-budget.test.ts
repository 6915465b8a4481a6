import { expect, test } from 'vitest'
import { type BodySharer, createBodyBudget } from './body-budget.ts'

const mebibyte = 1_048_576
const open = () =>
  createBodyBudget({
    bodyMemoryLimitBytes: 16 * mebibyte,
    bodyMemoryShareBytes: 6 * mebibyte,
    bodyLimitBytes: 4 * mebibyte,
  })
/** Words of one letter are owners, the others addresses. */
const sharers = (...ids: string[]): BodySharer[] =>
  ids.map((id) => ({ scope: id.length === 1 ? 'owner' : 'address', id }))
const code = (act: () => void): string | null => {
  try {
    act()
    return null
  } catch (error) {
    return error instanceof Error && 'errorName' in error ? String(error.errorName) : String(error)
  }
}

test('an owner gets no more than its share, and others are not affected', () => {
  const budget = open()
  const [first, second, third] = [
    budget.open(sharers('a', 'one')),
    budget.open(sharers('a', 'other')),
    budget.open(sharers('b', 'other')),
  ]
  first.resize(4 * mebibyte)
  expect(code(() => second.resize(3 * mebibyte))).toBe('body_memory_share')
  expect(code(() => second.check(2 * mebibyte))).toBeNull()
  expect(code(() => third.resize(4 * mebibyte))).toBeNull()
  first.release()
  expect(code(() => second.resize(2 * mebibyte))).toBeNull()
  expect(budget.usedBytes).toBe(6 * mebibyte)
})

test('above the total budget nothing is granted, but the last sixteenth is reserved for small bodies', () => {
  const budget = open()
  for (const owner of ['a', 'b', 'c']) budget.open(sharers(owner)).resize(4 * mebibyte)
  const last = budget.open(sharers('d'))
  last.resize(3 * mebibyte)
  expect(code(() => last.resize(4 * mebibyte))).toBe('body_memory_full')
  expect(budget.usedBytes).toBe(15 * mebibyte)
  expect(code(() => budget.open(sharers('e')).resize(65_537))).toBe('body_memory_full')
  for (let count = 0; count < 16; count += 1) budget.open(sharers('e')).resize(65_536)
  expect(code(() => budget.open(sharers('f')).resize(1))).toBe('body_memory_full')
})

test('a check claims nothing, and releasing twice counts once', () => {
  const budget = open()
  for (let count = 0; count < 500; count += 1) budget.open(sharers('a')).check(4 * mebibyte)
  expect(budget.usedBytes).toBe(0)
  const claim = budget.open(sharers('a'))
  claim.resize(10)
  claim.resize(1000)
  expect(budget.usedBytes).toBe(1000)
  claim.release()
  claim.release()
  expect(budget.usedBytes).toBe(0)
})

test('a share is never smaller than the largest body', () => {
  const budget = createBodyBudget({ bodyMemoryLimitBytes: 1000, bodyMemoryShareBytes: 10, bodyLimitBytes: 60_000 })
  expect(code(() => budget.open(sharers('a', 'one')).resize(60_000))).toBeNull()
})
