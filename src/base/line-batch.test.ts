import { expect, test } from 'vitest'
import { createLineBatch } from './line-batch.ts'

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('the lines of a turn are written together, in order', async () => {
  const written: string[] = []
  const batch = createLineBatch((text) => written.push(text))
  batch.add('one\n')
  batch.add('two\n')
  expect(written).toEqual([])
  await nextTurn()
  expect(written).toEqual(['one\ntwo\n'])
  batch.add('three\n')
  await nextTurn()
  expect(written).toEqual(['one\ntwo\n', 'three\n'])
})

test('a process that ends writes what is left at once, and nothing twice', async () => {
  const written: string[] = []
  const batch = createLineBatch((text) => written.push(text))
  batch.add('last\n')
  batch.flush()
  expect(written).toEqual(['last\n'])
  await nextTurn()
  expect(written).toEqual(['last\n'])
})
