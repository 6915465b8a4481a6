import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRetryBudget } from './retry-budget.ts'

const spendAll = (budget: ReturnType<typeof createRetryBudget>, nowMs: number): number => {
  let spent = 0
  while (budget.spend(nowMs)) spent += 1
  return spent
}

test('all answers of an upstream that dies may move once, then a fifth of the requests', () => {
  const budget = createRetryBudget(64)
  expect(spendAll(budget, 0)).toBe(64)
  for (let request = 0; request < 50; request += 1) budget.earn()
  expect(spendAll(budget, 0)).toBe(10)
})

test('one retry a second is possible however few requests there are', () => {
  const budget = createRetryBudget(0)
  expect(spendAll(budget, 0)).toBe(10)
  expect(spendAll(budget, 3000)).toBe(3)
  expect(spendAll(budget, 3_600_000)).toBe(10)
})

test('a larger pool may move more answers at once', () => {
  const budget = createRetryBudget(10)
  budget.resize(30)
  expect(spendAll(budget, 0)).toBe(30)
  budget.resize(10)
  budget.resize(30)
  expect(spendAll(budget, 0)).toBe(20)
})

test('retries never exceed what was earned', () => {
  const steps = fc.array(fc.oneof(fc.constant('request'), fc.constant('retry'), fc.nat({ max: 2000 })))
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), steps, (max, all) => {
      const budget = createRetryBudget(max)
      let [nowMs, requests, retries] = [0, 0, 0]
      for (const step of all) {
        if (typeof step === 'number') nowMs += step
        else if (step === 'request') {
          budget.earn()
          requests += 1
        } else if (budget.spend(nowMs)) retries += 1
      }
      expect(retries).toBeLessThanOrEqual(Math.max(10, max) + requests / 5 + nowMs / 1000)
    }),
  )
})
