import { expect, test } from 'vitest'
import { waitForTurn } from './read-turns.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('one long body is read in each turn of the event loop, and owners take turns', async () => {
  const seen: string[] = []
  const names = ['flood', 'flood', 'flood', 'other']
  for (const tenant of names) waitForTurn(tenant, () => seen.push(tenant))
  expect(seen).toEqual([])
  await turn()
  expect(seen).toEqual(['flood'])
  await turn()
  expect(seen).toEqual(['flood', 'other'])
  await turn()
  await turn()
  expect(seen).toEqual(['flood', 'other', 'flood', 'flood'])
})

test('a body that is resumed may wait again at once', async () => {
  const seen: number[] = []
  const read = (slice: number): void => {
    seen.push(slice)
    if (slice < 3) waitForTurn('one', () => read(slice + 1))
  }
  waitForTurn('one', () => read(1))
  await turn()
  await turn()
  await turn()
  expect(seen).toEqual([1, 2, 3])
})
