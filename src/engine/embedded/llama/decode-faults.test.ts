import { expect, test } from 'vitest'
import { createDecodeFaults, DecodeFailed } from './decode-faults.ts'

const setUp = () => {
  const lost: string[] = []
  const faults = createDecodeFaults((reason) => lost.push(reason))
  const fail = (code: number) => expect(() => faults.check(code)).toThrow(DecodeFailed)
  return { lost, fail, check: faults.check }
}

test('a device that cannot compute is lost at once, with the reason', () => {
  const { lost, fail } = setUp()
  fail(-3)
  expect(lost).toEqual(['the device could not compute the step (llama_decode returned -3)'])
})

test('memory may be short twice in a row, but not a third time', () => {
  const { lost, fail, check } = setUp()
  fail(-2)
  fail(-2)
  check(0)
  fail(-2)
  fail(-2)
  expect(lost).toEqual([])
  fail(-2)
  expect(lost).toEqual(['the memory for the step could not be allocated (llama_decode returned -2)'])
})

test('a step that was wrong in itself leaves the device in use', () => {
  const { lost, fail } = setUp()
  for (const code of [1, 2, -1, -7]) fail(code)
  expect(lost).toEqual([])
})
