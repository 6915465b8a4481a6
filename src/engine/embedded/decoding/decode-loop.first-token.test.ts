import { expect, test } from 'vitest'
import { createLoop, expectedAnswer, numbers } from '../../../../test/harness/toy-decode-loop.ts'

const idsOf = (steps: readonly { id: number }[][]) => steps.map((events) => events.map(({ id }) => id))

test('of prompts that are read in one step, each gets its first token as soon as it was read', async () => {
  const { add, llama, steps, tokensOf } = createLoop(4)
  const prompts = [1, 2, 3, 4].map((id) => numbers(30, id * 100))
  await Promise.all(prompts.map((prompt, index) => add(index + 1, prompt, 3, `scope ${index}`)))
  expect(idsOf(steps)).toEqual([[1], [2], [3], [4], [1, 2, 3, 4], [1, 2, 3, 4]])
  // The prompts, and two more tokens.
  expect(llama.batches).toHaveLength(3)
  for (const [index, prompt] of prompts.entries()) expect(tokensOf(index + 1)).toEqual(expectedAnswer(prompt, 3))
})

test('a prompt is sampled from the slice that ends it', async () => {
  const { add, llama } = createLoop(1)
  await add(1, numbers(100), 1)
  expect(llama.batches).toEqual([[{ sequence: 0, position: 0, tokens: numbers(100), isSampled: true }]])
})

test('the same prompt again gets its first token without a step, after its answer and after another one', async () => {
  const { add, llama, steps, tokensOf } = createLoop(1)
  const prompt = numbers(100)
  await add(1, prompt, 5)
  const read = llama.batches.length
  await add(2, prompt, 1)
  await add(3, prompt, 1)
  expect(llama.batches).toHaveLength(read)
  expect(idsOf(steps.slice(-2))).toEqual([[2], [3]])
  expect([tokensOf(2), tokensOf(3)]).toEqual([expectedAnswer(prompt, 1), expectedAnswer(prompt, 1)])
})

test('it does not wait for the prompt of another request', async () => {
  const { add, llama, steps, tokensOf } = createLoop(2)
  const [known, unknown] = [numbers(100), numbers(3000, 500)]
  await add(1, known, 2)
  const isReading = Promise.withResolvers<void>()
  llama.onStep(async () => isReading.resolve())
  const reading = add(2, unknown, 1, 'other')
  await isReading.promise
  await add(3, known, 1)
  expect(idsOf(steps).flat().at(-1)).toBe(3)
  await reading
  expect([tokensOf(2), tokensOf(3)]).toEqual([expectedAnswer(unknown, 1), expectedAnswer(known, 1)])
})

test('an earlier prompt of a conversation that went on is read again from its last slice on', async () => {
  const { add, llama, tokensOf } = createLoop(1)
  const prompt = numbers(200)
  await add(1, prompt, 2)
  await add(2, [...prompt, ...expectedAnswer(prompt, 2), 5], 2)
  const from = llama.batches.length
  await add(3, prompt, 1)
  expect(llama.batches.slice(from).flat()).toMatchObject([{ position: 128, tokens: { length: 72 }, isSampled: true }])
  expect(tokensOf(3)).toEqual(expectedAnswer(prompt, 1))
})

test('a prompt that was paused halfway and has been read for another request meanwhile continues', async () => {
  const { loop, add, llama, tokensOf } = createLoop(1, { savedLimitBytes: 0 })
  const prompt = numbers(400)
  const paused = add(1, prompt, 3)
  const isPaused = Promise.withResolvers<void>()
  llama.onStep(async (step) => {
    if (step !== 1) return
    loop.pause(1)
    isPaused.resolve()
  })
  await isPaused.promise
  await add(2, prompt, 3)
  loop.resume(1)
  await paused
  expect([tokensOf(1), tokensOf(2)]).toEqual([expectedAnswer(prompt, 3), expectedAnswer(prompt, 3)])
})
