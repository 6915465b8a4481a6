import { beforeAll, expect, test } from 'vitest'
import { openTinyEngine } from '../../../../test/harness/open-tiny-engine.ts'
import type { EmbeddingInputs } from '../../contract.ts'
import type { EmbeddedEngine } from '../embedded-engine.ts'

const never = new AbortController().signal
const contextTokens = 256
const texts = [
  'the river bank',
  'money in the bank',
  'a cat and a dog',
  'the house is in the water of the river, and the dog is in the house.',
  'Crème brûlée',
  '日本',
  'x',
]

let engine: EmbeddedEngine
let quantised: EmbeddedEngine
beforeAll(async () => {
  engine = await openTinyEngine('tiny-embedding')
  quantised = await openTinyEngine('tiny-quantised-embedding')
  for (const opened of [engine, quantised]) expect(await opened.firstLoad).toEqual({ outcome: 'ready' })
})

const embed = async (inputs: EmbeddingInputs, signal = never, on = engine): Promise<Float32Array[]> => {
  const prepared = await on.prepareInputs(inputs, signal)
  return Array.fromAsync(prepared.embed(signal))
}
const furthest = (one: Float32Array, other: Float32Array): number =>
  one.reduce((max, value, index) => Math.max(max, Math.abs(value - (other[index] ?? Number.NaN))), 0)

test('the engine says that it creates embeddings, of how many numbers and from how many tokens', () => {
  expect(engine.model).toMatchObject({ features: new Set(['embeddings']), vectorLength: 32, contextTokens })
})

test('every vector has the length 1, and different texts have different vectors', async () => {
  const vectors = await embed(texts)
  expect(vectors).toHaveLength(texts.length)
  for (const vector of vectors) {
    expect(vector).toHaveLength(32)
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
  }
  for (const [index, vector] of vectors.entries())
    for (const other of vectors.slice(index + 1)) expect(furthest(vector, other)).toBeGreaterThan(1e-3)
})

test('a text has the same vector alone, among others and in any position', async () => {
  const together = await embed(texts)
  const reversed = (await embed(texts.toReversed())).toReversed()
  for (const [index, text] of texts.entries()) {
    const [alone = new Float32Array()] = await embed([text])
    expect(furthest(alone, together[index] ?? alone.map(() => 9))).toBeLessThan(1e-4)
    expect(furthest(alone, reversed[index] ?? alone.map(() => 9))).toBeLessThan(1e-4)
  }
})

test('with quantised weights, a short and a long text have exactly the same vector alone and among others', async () => {
  const long = 'the cat is in the house of the dog. '.repeat(12)
  const inputs = [...texts, long]
  const together = await embed([...inputs, ...inputs.toReversed()], never, quantised)
  for (const [index, text] of inputs.entries()) {
    const [alone = new Float32Array()] = await embed([text], never, quantised)
    expect(together[index]).toEqual(alone)
    expect(together[2 * inputs.length - 1 - index]).toEqual(alone)
  }
})

test('the longest input takes no memory for logits, and less in all than was planned', async () => {
  const bytes = () => quantised.process()?.memoryBytes ?? Number.NaN
  await embed(['cat'], never, quantised)
  const before = bytes()
  expect(await embed(['cat '.repeat(contextTokens - 2)], never, quantised)).toHaveLength(1)
  // With a row of logits for each token it would be 12 MB.
  expect(bytes() - before).toBeLessThan(6e6)
  const { weights = 0, cache = 0, buffers = 0 } = quantised.memory ?? {}
  expect(bytes()).toBeLessThan(weights + cache + buffers)
  expect(bytes()).toBeGreaterThan((weights + cache + buffers) / 2)
})

test('many inputs, more than fit a batch, keep their order beside another request', async () => {
  const numbered = Array.from({ length: 300 }, (_, index) => `the house ${index} ${'water '.repeat(index % 17)}`)
  const [many, few] = await Promise.all([embed(numbered), embed(texts)])
  expect(few).toHaveLength(texts.length)
  for (const index of [0, 1, 63, 64, 150, 299]) {
    const [alone = new Float32Array()] = await embed([numbered[index] ?? ''])
    expect(furthest(alone, many[index] ?? alone.map(() => 9))).toBeLessThan(1e-4)
  }
})

test('token ids give the vector of their text, with the tokens that the model adds to it', async () => {
  const prepared = await engine.prepareInputs(['the river'], never)
  expect(prepared.promptTokens).toBe(4)
  const [fromText = new Float32Array()] = await Array.fromAsync(prepared.embed(never))
  // [CLS] the river [SEP]
  const [fromTokens = new Float32Array()] = await embed([[2, 73, 79, 3]])
  expect(furthest(fromText, fromTokens)).toBeLessThan(1e-4)
})

test('an input that fills the context is embedded, and a longer one is refused', async () => {
  const filled = 'cat '.repeat(contextTokens - 2)
  expect(await embed([filled])).toHaveLength(1)
  await expect(embed([`${filled}cat`])).rejects.toMatchObject({
    errorName: 'input_too_long',
    options: { param: 'input' },
  })
  await expect(embed(['x', 'cat '.repeat(100_000)])).rejects.toMatchObject({ options: { param: 'input[1]' } })
  await expect(embed([[2, 1000, 3]])).rejects.toMatchObject({ errorName: 'unknown_input_token' })
})

test('aborting ends a request in progress, and the next one works', async () => {
  const aborting = new AbortController()
  const prepared = await engine.prepareInputs(new Array<string>(2000).fill('the cat and the dog'), never)
  const vectors: Float32Array[] = []
  const read = async () => {
    for await (const vector of prepared.embed(aborting.signal)) {
      vectors.push(vector)
      aborting.abort(new Error('enough'))
    }
  }
  await expect(read()).rejects.toThrow('enough')
  expect(vectors).toHaveLength(1)
  expect(engine.active()).toBe(0)
  expect(await embed(['still here'])).toHaveLength(1)
})
