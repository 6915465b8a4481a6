import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asBatched, toBatches } from './batches.ts'

/** Yields the batches, and says when it was left. */
const createSource = (batches: readonly (readonly number[])[]) => {
  const state = { isLeft: false }
  const read = async function* (): AsyncGenerator<readonly number[], void> {
    try {
      yield* batches
    } finally {
      state.isLeft = true
    }
  }
  return { state, items: asBatched(read()) }
}

test('the items of batches are the same one by one and in batches', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(fc.nat())), async (batches) => {
      expect(await Array.fromAsync(createSource(batches).items)).toEqual(batches.flat())
      expect(await Array.fromAsync(toBatches(createSource(batches).items))).toEqual(batches)
    }),
  )
})

test('items that do not come in batches are batches of one', async () => {
  const read = async function* (): AsyncGenerator<number, void> {
    yield* [1, 2]
  }
  expect(await Array.fromAsync(toBatches(read()))).toEqual([[1], [2]])
})

test('leaving the loop ends the source, whichever way it is read', async () => {
  const one = createSource([[1, 2], [3]])
  for await (const item of one.items) if (item === 1) break
  expect(one.state.isLeft).toBe(true)
  expect(await one.items.next()).toEqual({ done: true, value: undefined })
  const several = createSource([[1, 2], [3]])
  for await (const _ of toBatches(several.items)) break
  expect(several.state.isLeft).toBe(true)
  let isLeft = false
  const read = async function* (): AsyncGenerator<number, void> {
    try {
      yield* [1, 2]
    } finally {
      isLeft = true
    }
  }
  for await (const _ of toBatches(read())) break
  expect(isLeft).toBe(true)
})

test('a failure comes after the items before it', async () => {
  const read = async function* (): AsyncGenerator<readonly number[], void> {
    yield [1, 2]
    throw new Error('broken')
  }
  const seen: number[] = []
  const reading = (async () => {
    for await (const item of asBatched(read())) seen.push(item)
  })()
  await expect(reading).rejects.toThrow('broken')
  expect(seen).toEqual([1, 2])
})
