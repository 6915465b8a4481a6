import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerOf, createLoop, expectedAnswer, numbers, sumModel } from '../../../../test/harness/toy-decode-loop.ts'
import { maxScoredTokens } from './batch-planner.ts'
import { createPromptScorer } from './prompt-scorer.ts'

const spelling = (id: number): Uint8Array => Uint8Array.of(id)
const scorerOf = (prompt: readonly number[]) => createPromptScorer(prompt, { top: 1, spelling })
type Loop = ReturnType<typeof createLoop>
const scoresOf = ({ eventsOf }: Loop, id: number) =>
  eventsOf(id).flatMap((event) => (event.type === 'prompt' ? event.tokens : []))

/** Computed from the definition. */
const expectedScores = (prompt: readonly number[]) =>
  prompt.map((id, index) => {
    if (index === 0) return { id, logprob: null }
    const logits: readonly number[] = sumModel(prompt.slice(0, index))
    const sum = logits.reduce((total, logit) => total + Math.exp(logit), 0)
    return { id, logprob: (logits[id] ?? 0) - Math.log(sum) }
  })

const expectScores = (loop: Loop, id: number, prompt: readonly number[]): void => {
  const scores = scoresOf(loop, id)
  const expected = expectedScores(prompt)
  expect(scores.map((score) => score.id)).toEqual(expected.map((score) => score.id))
  for (const [index, { logprob }] of expected.entries()) {
    if (logprob === null) expect(scores[index]?.logprob).toBeNull()
    else expect(scores[index]?.logprob?.logprob).toBeCloseTo(logprob, 5)
  }
}

test('each token of a prompt is reported once, in order and before the answer, whatever runs beside it', async () => {
  const request = fc.record({
    promptTokens: fc.integer({ min: 1, max: 400 }),
    isScored: fc.boolean(),
    length: fc.integer({ min: 1, max: 5 }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 3 }),
      async (requests, sequences) => {
        const loop = createLoop(sequences)
        const prompts = requests.map(({ promptTokens }) => numbers(promptTokens).map((id) => id % 10))
        await Promise.all(
          requests.map(({ isScored, length }, id) => {
            const prompt = prompts[id] ?? []
            return loop.addAnswer(id, prompt, answerOf(length), 'a', isScored ? scorerOf(prompt) : undefined)
          }),
        )
        for (const [id, { isScored, length }] of requests.entries()) {
          const prompt = prompts[id] ?? []
          expect(loop.tokensOf(id)).toEqual(expectedAnswer(prompt, length))
          if (!isScored) expect(scoresOf(loop, id)).toEqual([])
          else expectScores(loop, id, prompt)
          const types = loop.eventsOf(id).map(({ type }) => type)
          expect(types.lastIndexOf('prompt')).toBeLessThan(types.indexOf('step'))
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('no more logits are asked for at a time than memory was planned for, and cached tokens are read again', async () => {
  const loop = createLoop(2)
  const prompt = numbers(900).map((id) => id % 10)
  await loop.add(1, prompt, 1)
  await loop.addAnswer(2, prompt, answerOf(1), 'a', scorerOf(prompt))
  const scored = loop.llama.batches.flat().filter(({ isScored }) => isScored)
  expect(Math.max(...scored.map(({ tokens }) => tokens.length))).toBeLessThan(maxScoredTokens)
  expect(scored.reduce((sum, { tokens }) => sum + tokens.length, 0)).toBe(900)
  expect(loop.cachedOf(2)).toBe(0)
  expectScores(loop, 2, prompt)
})

test('the next prompt reuses one that was scored', async () => {
  const loop = createLoop(2)
  const prompt = numbers(300).map((id) => id % 10)
  await loop.addAnswer(1, prompt, answerOf(1), 'a', scorerOf(prompt))
  await loop.add(2, prompt, 3)
  expect(loop.cachedOf(2)).toBe(300)
  expect(loop.tokensOf(2)).toEqual(expectedAnswer(prompt, 3))
})

test.each([
  ['saved', 1e6],
  ['read again', 0],
])('a prompt that is paused and %s reports no token twice', async (_, savedLimitBytes) => {
  const loop = createLoop(1, { savedLimitBytes })
  const prompt = numbers(400).map((id) => id % 10)
  const other = numbers(100, 5).map((id) => id % 10)
  loop.llama.onStep(async (step) => {
    if (step === 3) loop.loop.pause(1)
  })
  const paused = loop.addAnswer(1, prompt, answerOf(2), 'a', scorerOf(prompt))
  await loop.add(2, other, 2, 'b')
  expect(scoresOf(loop, 1).length).toBeGreaterThan(0)
  expect(scoresOf(loop, 1).length).toBeLessThan(400)
  loop.loop.resume(1)
  await paused
  expectScores(loop, 1, prompt)
  expect(loop.tokensOf(1)).toEqual(expectedAnswer(prompt, 2))
})
