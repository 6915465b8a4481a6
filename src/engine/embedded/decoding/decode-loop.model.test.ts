import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSampling } from '../../../../test/harness/engine-request.ts'
import { readModel } from '../../model-folder.ts'
import { fillSampling } from '../../sampling.ts'
import { createAnswer } from '../answer.ts'
import { type Llama, openLlama } from '../llama/open-llama.ts'
import { createAnswerConstraint } from '../sampling/answer-constraint.ts'
import { DecodeLoop } from './decode-loop.ts'

const contextTokens = 512
const defaults = { temperature: 0, topP: 1, topK: 0, minP: 0, repetitionPenalty: 1, maxTokens: null }

const plain = { gpu: false, cacheType: 'f16', flashAttention: 'auto' } as const
let llama: Llama
beforeAll(async () => {
  const { weightsPath } = await readModel(fileURLToPath(new URL('../../../../models/helix-v1', import.meta.url)))
  llama = await openLlama({ weightsPath, contextTokens, slots: 4, threads: 1, ...plain }, () => {})
})
afterAll(() => llama?.close())

const openLoop = (speculates = false, savedLimitBytes = 1e9) => {
  const drafted = { steps: 0, tokens: 0 }
  type Heard = { tokens: number[]; completionTokens: number; cachedTokens: number; ended: PromiseWithResolvers<void> }
  const heard = new Map<number, Heard>()
  const counting: typeof llama = {
    ...llama,
    decode(slices, onRead) {
      drafted.steps += 1
      for (const { isDraft, tokens } of slices) if (isDraft) drafted.tokens += tokens.length - 1
      return llama.decode(slices, onRead)
    },
  }
  const loop = new DecodeLoop({
    llama: counting,
    speculates,
    batchTokens: llama.batchTokens,
    savedLimitBytes,
    threads: 1,
    nowMs: () => performance.now(),
    cpuMs: () => 0,
    emit: (events) => {
      for (const event of events) {
        const one = heard.get(event.id)
        if (event.type === 'failed') one?.ended.reject(event.error)
        else if (one && event.type === 'step') {
          one.cachedTokens = event.cachedTokens
          one.completionTokens = event.completionTokens
          if (event.step.token) one.tokens.push(event.step.token.id)
          if (event.step.end !== null) one.ended.resolve()
        }
      }
    },
  })
  let lastId = 0
  const ask = async (text: string, maxTokens: number, scope = 'a', temperature = 0) => {
    lastId += 1
    const id = lastId
    const one: Heard = { tokens: [], completionTokens: 0, cachedTokens: 0, ended: Promise.withResolvers<void>() }
    heard.set(id, one)
    const prompt = llama.vocabulary.tokenise(text, { special: false, continued: false })
    const requested = { ...openSampling, maxTokens, temperature, ignoreEnd: true, seed: 1 }
    const sampling = fillSampling(requested, defaults, contextTokens)
    const constraint = createAnswerConstraint(sampling, () => Buffer.of())
    const { endsGeneration } = llama.vocabulary
    const answer = createAnswer({
      prompt,
      sampling,
      constraint,
      contextTokens,
      tokenBytes: () => Buffer.of(),
      endsGeneration,
    })
    loop.add({ id, prompt, answer, scope })
    await one.ended.promise
    const { tokens, completionTokens, cachedTokens } = one
    return { tokens, completionTokens, cachedTokens, promptTokens: prompt.length }
  }
  return { ask, drafted, loop, heard }
}

const texts = [
  'Once upon a time there was a king who had three daughters. '.repeat(8),
  'The history of the railway began with wooden wagonways in mines. '.repeat(5),
  'To make a cup of tea,',
]

test('answers at temperature 0 are those of a single stream, together, cached and copied', async () => {
  const { ask } = openLoop()
  const alone = []
  for (const text of texts) alone.push(await ask(text, 8, `alone ${text}`))
  const together = await Promise.all(texts.map((text) => ask(text, 8, `together ${text}`)))
  expect(together.map(({ tokens }) => tokens)).toEqual(alone.map(({ tokens }) => tokens))
  const again = []
  for (const text of texts) again.push(await ask(text, 8, `together ${text}`))
  expect(again.map(({ tokens }) => tokens)).toEqual(alone.map(({ tokens }) => tokens))
  expect(again.map(({ cachedTokens }) => cachedTokens)).toEqual(again.map(({ promptTokens }) => promptTokens))
  const [first = ''] = texts
  const copies = await Promise.all([1, 2, 3].map(() => ask(first, 8, 'copies')))
  expect(copies.map(({ tokens }) => tokens)).toEqual(new Array(3).fill(alone[0]?.tokens))
  expect(copies.map(({ cachedTokens }) => cachedTokens > 0)).toEqual([false, true, true])
})

test('an answer is the same when the conversation goes back to an earlier prompt', async () => {
  const { ask } = openLoop()
  // Long enough for a block before its last slice.
  const first = texts[0]?.repeat(2) ?? ''
  const once = await ask(first, 8, 'back')
  await ask(`${first} And then she said:`, 8, 'back')
  const again = await ask(first, 8, 'back')
  expect(again.tokens).toEqual(once.tokens)
  expect(again.cachedTokens).toBeGreaterThan(0)
})

test('answers next to a sequence that only reads along are those of a single stream, and so is its next one', async () => {
  const { ask } = openLoop()
  const lengths = [16, 3, 16]
  const alone = []
  for (const [index, text] of texts.entries()) alone.push(await ask(text, lengths[index] ?? 0, `by itself ${index}`))
  const together = await Promise.all(texts.map((text, index) => ask(text, lengths[index] ?? 0, `beside ${index}`)))
  expect(together.map(({ tokens }) => tokens)).toEqual(alone.map(({ tokens }) => tokens))
  const again = await ask(texts[1] ?? '', 3, 'beside 1')
  expect(again.tokens).toEqual(alone[1]?.tokens)
  expect(again.cachedTokens).toBe(again.promptTokens)
})

test.each([0, 0.7])(
  'with drafts from the prompt the answer and its count are the same, at temperature %d',
  async (...given) => {
    const [temperature] = given
    const [plain, drafting] = [openLoop(), openLoop(true)]
    for (const text of ['red, green, blue, yellow, black, white, '.repeat(16).trim(), ...texts.slice(2)]) {
      const without = await plain.ask(text, 24, 'without', temperature)
      const drafted = await drafting.ask(text, 24, 'with', temperature)
      expect(drafted.tokens).toEqual(without.tokens)
      expect([drafted.completionTokens, without.completionTokens]).toEqual([24, 24])
    }
    expect(plain.drafted.tokens).toBe(0)
    // The first text repeats itself so often that its continuation does too, at any temperature.
    expect(drafting.drafted.tokens).toBeGreaterThan(0)
    expect(drafting.drafted.steps).toBeLessThan(plain.drafted.steps)
  },
)

test.each([
  ['saved', 1e9],
  ['read again', 0],
])('an answer that is paused and %s says the same, at temperature 0 and with a seed', async (_, savedLimitBytes) => {
  const { ask, loop, heard } = openLoop(false, savedLimitBytes)
  const [first = '', second = ''] = texts
  for (const temperature of [0, 1]) {
    const alone = await ask(first, 24, `alone ${temperature}`, temperature)
    const asked = ask(first, 24, `paused ${temperature}`, temperature)
    const id = Math.max(...heard.keys())
    for (const tokens of [5, 14]) {
      await reached(() => (heard.get(id)?.tokens.length ?? 0) >= tokens)
      loop.pause(id)
      // As many as there are sequences, so that one needs that of the paused answer.
      await Promise.all([1, 2, 3, 4].map((other) => ask(second, 2, `other ${tokens} ${other}`)))
      loop.resume(id)
    }
    const paused = await asked
    expect(paused.tokens).toEqual(alone.tokens)
    expect(paused.completionTokens).toBe(24)
  }
})

const reached = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}
