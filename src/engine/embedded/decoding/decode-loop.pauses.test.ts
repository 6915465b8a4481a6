import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  answerOf,
  createLoop,
  expectedAnswer,
  numbers,
  repeated,
  repeatingModel,
} from '../../../../test/harness/toy-decode-loop.ts'
import type { SampledAnswer } from '../answer.ts'

/** The same answer, whose search for a token pauses as many times as listed, token by token. */
const pausingAnswer = (length: number, pauses: readonly number[]): SampledAnswer => {
  const inner = answerOf(length)
  let [said, left] = [0, 0]
  let kept: Float32Array | null = null
  const resume = () => {
    if (kept === null) throw new Error('nothing is paused')
    if (left > 0) {
      left -= 1
      return 'paused'
    }
    const step = inner.next(kept)
    kept = null
    return step
  }
  return {
    isEmpty: false,
    next(logits) {
      if (kept !== null) throw new Error('a paused answer has no other step')
      kept = logits.slice()
      left = pauses[said % pauses.length] ?? 0
      said += 1
      return resume()
    },
    resume,
  }
}

test('searches that pause change no answer, whatever runs beside them, with drafts and without', async () => {
  const request = fc.record({
    promptTokens: fc.integer({ min: 1, max: 200 }),
    from: fc.constantFrom(0, 1),
    length: fc.integer({ min: 1, max: 20 }),
    pauses: fc.array(fc.nat(4), { minLength: 1, maxLength: 5 }),
  })
  const requests = fc.array(request, { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(
      requests,
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      async (requests, sequences, speculates) => {
        const { addAnswer, tokensOf, eventsOf } = createLoop(sequences, { speculates, model: repeatingModel })
        const prompts = requests.map(({ promptTokens, from }) => numbers(promptTokens, from).map((id) => id % 10))
        const answers = requests.map(({ length, pauses }) => pausingAnswer(length, pauses))
        await Promise.all(answers.map((answer, id) => addAnswer(id, prompts[id] ?? [], answer)))
        for (const [id, { length }] of requests.entries()) {
          expect(tokensOf(id)).toEqual(repeated(prompts[id] ?? [], length))
          expect(eventsOf(id).map((event) => event.type === 'step' && event.completionTokens)).toEqual(
            numbers(length, 1),
          )
        }
      },
    ),
    { numRuns: 50 },
  )
})

test('while a search pauses, the other answers get a token in each step', async () => {
  const { add, addAnswer, steps, tokensOf, llama } = createLoop(3)
  await Promise.all([addAnswer(1, [1], pausingAnswer(2, [15])), add(2, [2], 20), add(3, numbers(300), 10)])
  const steadily = steps.filter((events) => events.some(({ id }) => id === 2))
  expect([steadily.length, llama.batches.length]).toEqual([20, 20])
  // The first token of the third did not wait for the end of its step.
  const others = steps.slice(0, 21).filter((events) => !steadily.includes(events))
  expect(others.flat()).toMatchObject([{ id: 3, completionTokens: 1 }])
  expect(tokensOf(1)).toEqual(expectedAnswer([1], 2))
})

test('the thread of the loop computes itself, except in steps in which it has to search', async () => {
  const { add, addAnswer, llama } = createLoop(2)
  await Promise.all([addAnswer(1, [1], pausingAnswer(2, [3, 0])), add(2, [2], 8)])
  expect(llama.inBackground).toEqual([false, true, true, true, false, false, false, false])
})

test('a search alone keeps the model idle; others join it, and it can be cancelled', async () => {
  const { loop, add, addAnswer, llama, eventsOf, tokensOf } = createLoop(2)
  void addAnswer(1, [1], pausingAnswer(1, [Number.POSITIVE_INFINITY]))
  while (loop.progress().steps < 10) await new Promise((resolve) => setImmediate(resolve))
  expect([llama.batches.length, loop.progress().isStepping]).toEqual([1, false])
  await add(2, [2], 3)
  expect([tokensOf(2), llama.batches.length]).toEqual([expectedAnswer([2], 3), 4])
  loop.cancel(1)
  await add(3, [1], 2)
  expect([eventsOf(1), tokensOf(3)]).toEqual([[], expectedAnswer([1], 2)])
})

test('however many searches are paused, they check no more in a step together', async () => {
  const { loop, add } = createLoop(6)
  const checked: number[] = []
  for (const id of numbers(5)) {
    const resume = (checks: number) => {
      checked[loop.progress().steps] = (checked[loop.progress().steps] ?? 0) + checks
      return 'paused' as const
    }
    loop.add({ id, prompt: [id], answer: { isEmpty: false, next: () => 'paused', resume }, scope: 'a' })
  }
  await add(6, [6], 8)
  for (const id of numbers(5)) loop.cancel(id)
  expect(checked.slice(1, 8)).toEqual(new Array(7).fill(5 * 820))
})

test('what a search finds while a step fails is not lost', async () => {
  const { add, addAnswer, llama, tokensOf, eventsOf } = createLoop(2)
  llama.onStep(async (step) => {
    if (step === 2) llama.failNext(new Error('broken'))
  })
  await Promise.all([addAnswer(1, [1], pausingAnswer(1, [1])), add(2, [2], 3)])
  expect([tokensOf(1), eventsOf(1).length]).toEqual([expectedAnswer([1], 1), 1])
  expect(eventsOf(2).at(-1)).toEqual({ type: 'failed', id: 2, error: new Error('broken') })
})
