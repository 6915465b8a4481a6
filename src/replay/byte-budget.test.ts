import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createByteBudget } from './byte-budget.ts'

test('one organisation alone gets eight ninths, and the next one finds room in what is left', () => {
  const room = createByteBudget(900)
  const greedy = room.lease('org_1', 100)
  expect(greedy?.resize(800)).toBe(true)
  expect(room.lease('org_1', 1)).toBeNull()
  expect(greedy?.resize(801)).toBe(false)
  greedy?.resize(800)
  expect(room.lease('org_2', 80)).not.toBeNull()
})

test('what is kept counts like what is held', () => {
  const room = createByteBudget(900)
  room.setBase(new Map([['org_1', 700]]))
  room.addBase('org_1', 100)
  expect(room.lease('org_1', 1)).toBeNull()
  expect(room.lease('org_2', 50)).not.toBeNull()
  room.setBase(new Map())
  expect(room.lease('org_1', 700)).not.toBeNull()
})

test('however many take all they can get, who comes next gets something, and it is never more than there is', () => {
  const limitBytes = 1_000_000
  const takers = fc.array(fc.record({ who: fc.nat(19), bytes: fc.integer({ min: 1, max: 200_000 }) }), {
    maxLength: 300,
  })
  fc.assert(
    fc.property(takers, (all) => {
      const room = createByteBudget(limitBytes)
      let held = 0
      for (const { who, bytes } of all) {
        if (room.lease(`org_${who}`, bytes) !== null) held += bytes
        expect(held).toBeLessThanOrEqual(limitBytes)
      }
      // The emptiest it gets with twenty of them: one part in 8 × 20 + 1.
      expect(room.lease('org_new', Math.floor(limitBytes / 200))).not.toBeNull()
    }),
  )
})

test('a lease that was closed gives all of it back', () => {
  const room = createByteBudget(900)
  for (let count = 0; count < 10; count += 1) {
    const lease = room.lease('org_1', 800)
    lease?.resize(850)
    lease?.close()
  }
  expect(room.lease('org_1', 800)).not.toBeNull()
})
