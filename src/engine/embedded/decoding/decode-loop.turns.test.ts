import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createLoop,
  expectedAnswer,
  numbers,
  repeated,
  repeatingModel,
} from '../../../../test/harness/toy-decode-loop.ts'

test('a paused answer leaves the steps to the others, and continues where it was', async () => {
  const { loop, add, llama, tokensOf, steps } = createLoop(2)
  const paused = add(1, [1], 6)
  const other = add(2, [2], 20)
  llama.onStep(async (step) => {
    if (step === 3) loop.pause(1)
  })
  await other
  // The step in which it was paused still gave it a token.
  expect(tokensOf(1)).toEqual(expectedAnswer([1], 3))
  loop.resume(1)
  await paused
  expect(tokensOf(1)).toEqual(expectedAnswer([1], 6))
  expect(tokensOf(2)).toEqual(expectedAnswer([2], 20))
  expect(steps).toHaveLength(20 + 3)
  // It still had its sequence: nothing was read again.
  expect(llama.batches.flat().reduce((sum, { tokens }) => sum + tokens.length, 0)).toBe(6 + 20)
})

const pausedOnOneSequence = async (savedLimitBytes: number) => {
  const { loop, add, llama, tokensOf, cachedOf, eventsOf } = createLoop(1, { savedLimitBytes })
  const prompt = numbers(100, 3)
  const paused = add(1, prompt, 40)
  const made = Promise.withResolvers<void>()
  llama.onStep(async (step) => {
    if (step !== 25) return
    loop.pause(1)
    made.resolve()
  })
  await made.promise
  await add(2, [5], 3, 'other')
  loop.resume(1)
  const from = llama.batches.length
  await paused
  expect(tokensOf(1)).toEqual(expectedAnswer(prompt, 40))
  expect(tokensOf(2)).toEqual(expectedAnswer([5], 3))
  expect([cachedOf(1), eventsOf(1).length]).toEqual([0, 40])
  return llama.batches
    .slice(from)
    .flat()
    .map(({ position, tokens, isSampled }) => [position, tokens.length, isSampled])
}

test('an answer that had to give up its sequence continues with what was saved of it', async () => {
  const [first] = await pausedOnOneSequence(1e6)
  expect(first).toEqual([124, 1, true])
})

test('without memory to save it, its prompt is read again in blocks and its own tokens in small slices', async () => {
  const slices = await pausedOnOneSequence(0)
  expect(slices.slice(0, 4)).toEqual([
    [0, 100, false],
    [100, 16, false],
    [116, 8, false],
    [124, 1, true],
  ])
})

test('an answer can be paused before it has begun, and while its prompt is read', async () => {
  const { loop, add, llama, tokensOf } = createLoop(1)
  const long = add(1, numbers(2000), 3)
  const waiting = add(2, [4], 3)
  loop.pause(2)
  llama.onStep(async (step) => {
    if (step === 2) loop.pause(1)
    if (step === 2) loop.resume(2)
  })
  await waiting
  expect(tokensOf(1)).toEqual([])
  loop.resume(1)
  await long
  expect([tokensOf(1), tokensOf(2)]).toEqual([expectedAnswer(numbers(2000), 3), expectedAnswer([4], 3)])
})

test('a paused answer that is cancelled gives up its sequence and what was saved', async () => {
  const { loop, add, llama, tokensOf } = createLoop(1, { savedLimitBytes: 4 * 200 })
  for (let id = 1; id < 20; id += 2) {
    void add(id, numbers(100, id), 1000, `scope ${id}`)
    const made = Promise.withResolvers<void>()
    const from = llama.batches.length
    llama.onStep(async (step) => {
      if (step !== from + 10) return
      loop.pause(id)
      made.resolve()
    })
    await made.promise
    await add(id + 1, [id], 2)
    loop.cancel(id)
    loop.resume(id)
    expect(tokensOf(id + 1)).toEqual(expectedAnswer([id], 2))
  }
})

const step = fc.record({
  step: fc.integer({ min: 1, max: 60 }),
  id: fc.nat({ max: 5 }),
  type: fc.constantFrom('pause' as const, 'resume' as const),
})
const request = fc.record({
  promptTokens: fc.integer({ min: 1, max: 300 }),
  from: fc.constantFrom(0, 1),
  length: fc.integer({ min: 1, max: 30 }),
  scope: fc.constantFrom('a', 'b'),
})

test.each([false, true])('whatever is paused when, no token is lost or changed (drafts: %s)', async (speculates) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { minLength: 1, maxLength: 6 }),
      fc.array(step, { maxLength: 30 }),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom(0, 600, 1e6),
      async (requests, changes, sequences, savedLimitBytes) => {
        const options = speculates ? { speculates, model: repeatingModel, savedLimitBytes } : { savedLimitBytes }
        const expected = speculates ? repeated : expectedAnswer
        const { loop, add, llama, tokensOf } = createLoop(sequences, options)
        const prompts = requests.map(({ promptTokens, from }) => numbers(promptTokens, from))
        llama.onStep(async (now) => {
          for (const { step: at, id, type } of changes) if (at === now) loop[type](id)
        })
        const ends = requests.map(({ length, scope }, id) => add(id, prompts[id] ?? [], length, scope))
        let isOver = false
        const over = Promise.all(ends).then(() => (isOver = true))
        // When only paused ones are left, they continue one after the other.
        for (let [idle, steps] = [0, 0]; !isOver; steps = llama.batches.length) {
          await new Promise((resolve) => setImmediate(resolve))
          idle = llama.batches.length === steps ? idle + 1 : 0
          if (idle > 5) loop.resume((idle - 6) % requests.length)
        }
        await over
        for (const [id, { length }] of requests.entries())
          expect(tokensOf(id)).toEqual(expected(prompts[id] ?? [], length))
      },
    ),
    { numRuns: 150 },
  )
})
