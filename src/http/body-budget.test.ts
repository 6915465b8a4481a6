import { expect, test } from 'vitest'
import { createBodyBudget } from './body-budget.ts'

const mebibyte = 1_048_576
const open = () =>
  createBodyBudget({
    bodyMemoryLimitBytes: 16 * mebibyte,
    bodyMemoryShareBytes: 6 * mebibyte,
    bodyLimitBytes: 4 * mebibyte,
  })
const code = (act: () => void): string | null => {
  try {
    act()
    return null
  } catch (error) {
    return error instanceof Error && 'errorName' in error ? String(error.errorName) : String(error)
  }
}

test('a party gets no more than its share, and others are not touched by it', () => {
  const budget = open()
  const [first, second, third] = [budget.open(['a', 'x']), budget.open(['a', 'y']), budget.open(['b', 'y'])]
  first.hold(4 * mebibyte)
  expect(code(() => second.hold(3 * mebibyte))).toBe('body_memory_share')
  expect(code(() => second.check(2 * mebibyte))).toBeNull()
  expect(code(() => third.hold(4 * mebibyte))).toBeNull()
  first.release()
  expect(code(() => second.hold(2 * mebibyte))).toBeNull()
  expect(budget.heldBytes).toBe(6 * mebibyte)
})

test('beyond the budget of all nobody gets more, but the last sixteenth is left for small bodies', () => {
  const budget = open()
  for (const party of ['a', 'b', 'c']) budget.open([party]).hold(4 * mebibyte)
  const last = budget.open(['d'])
  last.hold(3 * mebibyte)
  expect(code(() => last.hold(4 * mebibyte))).toBe('body_memory_full')
  expect(budget.heldBytes).toBe(15 * mebibyte)
  expect(code(() => budget.open(['e']).hold(65_537))).toBe('body_memory_full')
  for (let count = 0; count < 16; count += 1) budget.open(['e']).hold(65_536)
  expect(code(() => budget.open(['f']).hold(1))).toBe('body_memory_full')
})

test('what was checked only holds nothing, and what was given back twice counts once', () => {
  const budget = open()
  for (let count = 0; count < 500; count += 1) budget.open(['a']).check(4 * mebibyte)
  expect(budget.heldBytes).toBe(0)
  const claim = budget.open(['a'])
  claim.hold(10)
  claim.hold(1000)
  expect(budget.heldBytes).toBe(1000)
  claim.release()
  claim.release()
  expect(budget.heldBytes).toBe(0)
})

test('a share is never smaller than one body may be', () => {
  const budget = createBodyBudget({ bodyMemoryLimitBytes: 1000, bodyMemoryShareBytes: 10, bodyLimitBytes: 60_000 })
  expect(code(() => budget.open(['a', 'b']).hold(60_000))).toBeNull()
})
