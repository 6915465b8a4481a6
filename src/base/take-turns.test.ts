import { expect, test } from 'vitest'
import { createFloodTurns, waitForTurn } from './take-turns.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('one slice is done in each turn of the event loop, and tenants are served in turn', async () => {
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

test('a slice may wait for the next turn at once', async () => {
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

test('only a stream that says much within a moment waits for its turn', async () => {
  let nowMs = 0
  const turnAfter = createFloodTurns('one', { monotonicMs: () => nowMs })
  for (let piece = 0; piece < 1000; piece += 1) {
    expect(turnAfter(1000)).toBeUndefined()
    nowMs += 2
  }
  nowMs += 1000
  expect(turnAfter(65_536)).toBeUndefined()
  await expect(turnAfter(1)).resolves.toBeUndefined()
  nowMs += 1000
  expect(turnAfter(1)).toBeUndefined()
})
