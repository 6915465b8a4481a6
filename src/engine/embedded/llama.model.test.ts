import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSampling } from '../../../test/harness/engine-request.ts'
import { readModel } from '../model-folder.ts'
import { type Llama, openLlama, type Sequence } from './llama.ts'

const drawing = {
  ...openSampling,
  ...{ temperature: 0, topP: 1, topK: 0, minP: 0, repetitionPenalty: 1, seed: 1, maxTokens: 100, answered: [] },
}

let llama: Llama
beforeAll(async () => {
  const { weightsPath } = await readModel(fileURLToPath(new URL('../../../models/helix-v1', import.meta.url)))
  llama = await openLlama({ weightsPath, contextTokens: 512, slots: 3, threads: 1, gpu: false }, () => {})
})
afterAll(() => llama?.close())

const generate = async (sequence: Sequence | undefined, tokens: number, onToken = (_: number) => {}) => {
  if (!sequence) throw new Error('there are too few sequences')
  await sequence.clear()
  const prompt = llama.vocabulary.tokenise('Once upon a time', { special: false, continued: false })
  let given = 0
  for await (const _ of sequence.continue(prompt, drawing)) {
    given += 1
    onToken(given)
    if (given === tokens) return
  }
}

test('a conversation begins while two others are under way', async () => {
  const [first, second, third] = llama.sequences
  const ended: string[] = []
  const note = (name: string) => () => ended.push(name)
  const { promise: secondRuns, resolve: startSecond } = Promise.withResolvers<void>()
  const { promise: thirdRuns, resolve: startThird } = Promise.withResolvers<void>()
  await Promise.all([
    generate(first, 40, (given) => given === 3 && startSecond()).then(note('first')),
    secondRuns.then(() => generate(second, 40, (given) => given === 3 && startThird())).then(note('second')),
    thirdRuns.then(() => generate(third, 3)).then(note('third')),
  ])
  expect(ended[0]).toBe('third')
})
