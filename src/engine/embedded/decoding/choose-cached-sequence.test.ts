import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseCachedSequence, type HeldSequence } from './choose-cached-sequence.ts'

const numbers = (length: number, from = 0) => Array.from({ length }, (_, index) => from + index)
const held = (sequence: number, some: Partial<HeldSequence> = {}): HeldSequence => ({
  sequence,
  scope: 'a',
  tokens: [],
  logitsAfter: some.tokens?.length ?? null,
  runningPrompt: null,
  lastUsed: sequence,
  ...some,
})
const running = (tokens: number[], prompt = tokens) => ({ tokens, runningPrompt: prompt })
const use = { type: 'use', copyFrom: null }

test('the sequence that holds most of the prompt is used again', () => {
  const sequences = [held(0, { tokens: numbers(50) }), held(1, { tokens: numbers(100) }), held(2)]
  expect(chooseCachedSequence(sequences, numbers(100), 'a')).toEqual({ ...use, sequence: 1, reusedTokens: 100 })
  expect(chooseCachedSequence(sequences, [...numbers(100), 7, 8], 'a')).toEqual({
    ...use,
    sequence: 1,
    reusedTokens: 100,
  })
})

test('a prompt whose logits are not known is read again from its last slice on', () => {
  const reusedOf = (length: number, logitsAfter: number | null): unknown => {
    const choice = chooseCachedSequence([held(0, { tokens: numbers(500), logitsAfter })], numbers(length), 'a')
    return choice.type === 'use' && choice.reusedTokens
  }
  expect([127, 128, 191, 192].map((length) => reusedOf(length, null))).toEqual([0, 64, 64, 128])
  expect([127, 128, 191, 192].map((length) => reusedOf(length, length))).toEqual([127, 128, 191, 192])
  expect(reusedOf(192, 300)).toBe(128)
})

test('a beginning that ends before the last block is reused in whole blocks', () => {
  expect(
    chooseCachedSequence([held(0, { tokens: numbers(100) })], [...numbers(100), ...numbers(200, 500)], 'a'),
  ).toEqual({
    ...use,
    sequence: 0,
    reusedTokens: 64,
  })
})

test('what another scope holds is never reused, nor waited for', () => {
  const any = fc.record({
    tokens: fc.integer({ min: 0, max: 300 }).map((length) => numbers(length)),
    runningPrompt: fc.option(fc.integer({ min: 1, max: 300 }).map((length) => numbers(length))),
    logitsAfter: fc.option(fc.integer({ min: 1, max: 300 })),
    scope: fc.constantFrom('a', 'b', null),
    lastUsed: fc.nat(),
  })
  fc.assert(
    fc.property(fc.array(any, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 400 }), (some, length) => {
      const sequences = some.map((one, sequence) => ({ sequence, ...one }))
      const choice = chooseCachedSequence(sequences, numbers(length), 'a')
      const own = sequences.filter(({ scope }) => scope === 'a')
      if (choice.type === 'wait') expect(own.some(({ runningPrompt }) => runningPrompt !== null)).toBe(true)
      if (choice.type !== 'use') return
      expect(sequences[choice.sequence]?.runningPrompt).toBeNull()
      const source = sequences[choice.copyFrom ?? choice.sequence]
      if (choice.reusedTokens > 0) expect(source?.scope).toBe('a')
      expect(choice.reusedTokens).toBeLessThanOrEqual(length)
      if (choice.reusedTokens === length) expect(source?.logitsAfter).toBe(length)
      expect(choice.reusedTokens).toBeLessThanOrEqual(choice.reusedTokens > 0 ? (source?.tokens.length ?? 0) : 0)
    }),
  )
})

test('of sequences that hold as much of the prompt, a free one is used, the oldest first', () => {
  const prompt = numbers(30)
  const answered = (from: number) => ({ tokens: [...prompt, ...numbers(80, from)], logitsAfter: prompt.length })
  const sequences = [
    held(0, answered(100)),
    held(1, { ...running([...prompt, 7], prompt), logitsAfter: prompt.length }),
    held(2, answered(200)),
  ]
  expect(chooseCachedSequence(sequences, prompt, 'a')).toEqual({ ...use, sequence: 0, reusedTokens: 30 })
  const [, busy, free] = sequences
  if (!free || !busy) throw new Error('missing')
  expect(chooseCachedSequence([busy, free], prompt, 'a')).toEqual({ ...use, sequence: 2, reusedTokens: 30 })
})

test('without a common beginning what was used longest ago goes', () => {
  const sequences = [
    held(0, { tokens: [9], lastUsed: 5 }),
    held(1, { tokens: [8], lastUsed: 2 }),
    held(2, running([1])),
  ]
  expect(chooseCachedSequence(sequences, numbers(10, 70), 'a')).toEqual({ ...use, sequence: 1, reusedTokens: 0 })
})

test('a sequence next to a running one is cleared, of several the one that was used longest ago', () => {
  const any = fc.record({ isRunning: fc.boolean(), lastUsed: fc.nat() })
  fc.assert(
    fc.property(fc.uniqueArray(any, { minLength: 1, maxLength: 16, selector: ({ lastUsed }) => lastUsed }), (some) => {
      const sequences = some.map(({ isRunning, lastUsed }, sequence) =>
        held(sequence, { lastUsed, scope: 'other', ...(isRunning ? running([9]) : {}) }),
      )
      const free = sequences.filter(({ runningPrompt }) => runningPrompt === null)
      const isRunning = (sequence: number) => some[sequence]?.isRunning === true
      const beside = free.filter(({ sequence }) => isRunning(sequence - 1) || isRunning(sequence + 1))
      const [expected] = (beside.length > 0 ? beside : free).toSorted((one, other) => one.lastUsed - other.lastUsed)
      expect(chooseCachedSequence(sequences, numbers(10), 'a')).toEqual(
        expected ? { ...use, sequence: expected.sequence, reusedTokens: 0 } : { type: 'full' },
      )
    }),
  )
})

test('a common beginning of a longer conversation is copied, so that both stay', () => {
  const sequences = [held(0, { tokens: [...numbers(128), ...numbers(300, 900)], lastUsed: 9 }), held(1), held(2)]
  expect(chooseCachedSequence(sequences, [...numbers(128), 1, 2, 3], 'a')).toEqual({
    type: 'use',
    sequence: 1,
    reusedTokens: 128,
    copyFrom: 0,
  })
})

test('the same prompt at the same time is read once: the others wait, then copy', () => {
  const prompt = numbers(200)
  expect(chooseCachedSequence([held(0, running(numbers(64), prompt)), held(1)], prompt, 'a')).toEqual({ type: 'wait' })
  expect(chooseCachedSequence([held(0, running(prompt)), held(1)], prompt, 'a')).toEqual({
    type: 'use',
    sequence: 1,
    reusedTokens: 200,
    copyFrom: 0,
  })
})

test('where all run there is no place', () => {
  expect(chooseCachedSequence([held(0, running([1]))], [1, 2], 'a')).toEqual({ type: 'full' })
})
