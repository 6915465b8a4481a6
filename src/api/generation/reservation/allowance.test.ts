import { expect, test } from 'vitest'
import { createAllowance } from './allowance.ts'

const openAllowance = (tokens: number, extensionTokens: number | null, limit: number) => {
  let reserved = tokens
  const asked: number[] = []
  const allowance = createAllowance({
    tokens,
    extensionTokens,
    async extend(wanted) {
      asked.push(wanted)
      const added = Math.min(wanted, limit - reserved)
      reserved += added
      return added
    },
  })
  return { take: async () => allowance.take(), asked }
}

test('reserved tokens can be taken without waiting, and no more', async () => {
  const fixed = createAllowance({ tokens: 2, extensionTokens: null, extend: () => expect.unreachable() })
  expect([fixed.take(), fixed.take(), fixed.take(), fixed.take()]).toEqual([true, true, false, false])
})

test('more is reserved only for a further token, and all of it is granted up to the limit', async () => {
  const { take, asked } = openAllowance(2, 3, 6)
  for (let count = 0; count < 2; count += 1) expect(await take()).toBe(true)
  expect(asked).toEqual([])
  for (let count = 0; count < 4; count += 1) expect(await take()).toBe(true)
  expect(asked).toEqual([3, 3])
  expect(await take()).toBe(false)
  expect(await take()).toBe(false)
  expect(asked).toEqual([3, 3, 3])
})

test('choices that run out together share what is added', async () => {
  const { take, asked } = openAllowance(0, 3, 5)
  expect(await Promise.all(Array.from({ length: 8 }, take))).toEqual([
    ...new Array<boolean>(5).fill(true),
    ...new Array<boolean>(3).fill(false),
  ])
  expect(asked).toEqual([3, 3, 3])
})

test('a failed extension fails those who wait for it, and the next one tries again', async () => {
  let isBroken = true
  const allowance = createAllowance({
    tokens: 0,
    extensionTokens: 1,
    extend: async () => (isBroken ? Promise.reject(new Error('no store')) : 1),
  })
  await expect(async () => allowance.take()).rejects.toThrow('no store')
  isBroken = false
  expect(await allowance.take()).toBe(true)
})
