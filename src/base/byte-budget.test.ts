import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createByteBudget } from './byte-budget.ts'

test('one organisation alone gets eight ninths, and another one gets some of the rest', () => {
  const budget = createByteBudget(900)
  const greedy = budget.lease('org_1', 100)
  expect(greedy?.resize(800)).toBe(true)
  expect(budget.lease('org_1', 1)).toBeNull()
  expect(greedy?.resize(801)).toBe(false)
  greedy?.resize(800)
  expect(budget.lease('org_2', 80)).not.toBeNull()
})

test('what is stored counts like what is leased', () => {
  const budget = createByteBudget(900)
  budget.setStored(new Map([['org_1', 650]]))
  budget.lease('org_1', 100)?.commit(150)
  expect(budget.lease('org_1', 1)).toBeNull()
  expect(budget.lease('org_2', 50)).not.toBeNull()
  budget.setStored(new Map())
  expect(budget.lease('org_1', 700)).not.toBeNull()
})

test('however many take all they can get, another one gets some, and the total is never exceeded', () => {
  const limitBytes = 1_000_000
  const leases = fc.array(fc.record({ who: fc.nat(19), bytes: fc.integer({ min: 1, max: 200_000 }) }), {
    maxLength: 300,
  })
  fc.assert(
    fc.property(leases, (all) => {
      const budget = createByteBudget(limitBytes)
      let held = 0
      for (const { who, bytes } of all) {
        if (budget.lease(`org_${who}`, bytes) !== null) held += bytes
        expect(held).toBeLessThanOrEqual(limitBytes)
      }
      // The emptiest it gets with twenty of them: one part in 8 × 20 + 1.
      expect(budget.lease('org_new', Math.floor(limitBytes / 200))).not.toBeNull()
    }),
  )
})

test('closing a lease releases all of it', () => {
  const budget = createByteBudget(900)
  for (let count = 0; count < 10; count += 1) {
    const lease = budget.lease('org_1', 800)
    lease?.resize(850)
    lease?.close()
  }
  expect(budget.lease('org_1', 800)).not.toBeNull()
})
