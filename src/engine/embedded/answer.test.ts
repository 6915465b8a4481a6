import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FullSampling } from '../sampling.ts'
import { answer } from './answer.ts'
import type { Sequence } from './llama.ts'

const endToken = 0
const sampling = (maxTokens: number): FullSampling => ({
  temperature: 0,
  topP: 1,
  topK: 0,
  minP: 0,
  repetitionPenalty: 1,
  maxTokens,
  seed: 1,
})

/** Says `says`, and notes what it was given to read. */
const scriptedSequence = (says: number[], onRead: () => void = () => {}) => {
  const seen: number[][] = []
  const sequence: Sequence = {
    clear: async () => {
      seen.length = 0
    },
    read: async (tokens) => {
      seen.push([...tokens])
      onRead()
    },
    continue: async function* (tokens) {
      seen.push([...tokens])
      yield* says
    },
  }
  return { sequence, seen }
}
const run = (sequence: Sequence, prompt: number[], maxTokens: number, signal = new AbortController().signal) =>
  Array.fromAsync(
    answer({
      sequence,
      prompt,
      sampling: sampling(maxTokens),
      contextTokens: 1000,
      endsGeneration: (id) => id === endToken,
      signal,
    }),
  )
const numbers = (length: number) => Array.from({ length }, (_, index) => index + 1)

test('the end token ends it and is not part of it', async () => {
  const steps = await run(scriptedSequence([5, 6, endToken, 7]).sequence, [1], 10)
  expect(steps).toEqual([
    { type: 'token', id: 5 },
    { type: 'token', id: 6 },
    { type: 'end', reason: 'stop' },
  ])
})

test('the limit of the request and the room in the context both end it', async () => {
  const limited = await run(scriptedSequence(numbers(50)).sequence, [1], 3)
  expect(limited).toHaveLength(4)
  expect(limited.at(-1)).toEqual({ type: 'end', reason: 'length' })
  const full = await run(scriptedSequence(numbers(50)).sequence, numbers(998), 10)
  expect(full).toHaveLength(3)
  expect(full.at(-1)).toEqual({ type: 'end', reason: 'length' })
})

test('a prompt of any length is read once, in order, in short steps', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 500 }), async (length) => {
      const { sequence, seen } = scriptedSequence([endToken])
      await run(sequence, numbers(length), 1)
      expect(seen.flat()).toEqual(numbers(length))
      expect(Math.max(...seen.map((step) => step.length))).toBeLessThanOrEqual(64)
    }),
  )
})

test('an abort while a long prompt is read stops after the step', async () => {
  const abort = new AbortController()
  const { sequence, seen } = scriptedSequence([5], () => abort.abort(new Error('left')))
  await expect(run(sequence, numbers(500), 5, abort.signal)).rejects.toThrow('left')
  expect(seen).toHaveLength(1)
})
