import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readModel } from '../model-folder.ts'
import { type Llama, openLlama, type Sequence } from './llama.ts'

const sampling = {
  temperature: 0,
  topP: 1,
  topK: 0,
  minP: 0,
  repetitionPenalty: 1,
  seed: 1,
  maxTokens: 100,
}

let llama: Llama
beforeAll(async () => {
  const { weightsPath } = await readModel(fileURLToPath(new URL('../../../models/helix-v1', import.meta.url)))
  const threads = Math.min(2, availableParallelism())
  llama = await openLlama({ weightsPath, contextTokens: 512, slots: 3, threads, gpu: false }, () => {})
})
afterAll(() => llama.close())

test('a conversation begins while two others are under way', async () => {
  const [first, second, third] = llama.sequences
  if (!first || !second || !third) throw new Error('there are fewer than three sequences')
  const prompt = llama.vocabulary.tokenise('Once upon a time', { special: false, continued: false })
  let given = 0
  const generate = async (sequence: Sequence, tokens: number, onToken = () => {}) => {
    await sequence.clear()
    let left = tokens
    for await (const _ of sequence.continue(prompt, sampling)) {
      onToken()
      left -= 1
      if (left === 0) return
    }
  }
  const count = () => {
    given += 1
  }
  // The second one falls in when the first is already on its way.
  const { promise: bothRun, resolve: runBoth } = Promise.withResolvers<void>()
  const long = [
    generate(first, 80, () => {
      count()
      if (given === 4) long.push(generate(second, 80, count))
      if (given === 20) runBoth()
    }),
  ]
  await bothRun
  await generate(third, 4)
  expect(given).toBeLessThan(80)
  await Promise.all(long)
})
