import { beforeAll, expect, test } from 'vitest'
import { postEmbeddings } from '../harness/post-embeddings.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { embedderName, openScriptedEmbedder, scriptedVector } from '../harness/scripted-embedder.ts'
import { type Helix, openHelix, startHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ startEngine: openScriptedEmbedder })
  return helix.close
})
const embed = async (body: Record<string, unknown>) => {
  const response = await postEmbeddings(helix, body)
  expect(response.status).toBe(200)
  return (await response.json()) as { data: { index: number; embedding: number[] }[]; usage: { prompt_tokens: number } }
}

test('a text is answered with its vector and its usage', async () => {
  expect(await embed({ input: 'two words' })).toEqual({
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [0.5, 0.25, 0.125] }],
    model: embedderName,
    usage: { prompt_tokens: 2, total_tokens: 2 },
  })
})

test.each([
  ['several texts', ['one', 'and two', 'one two three'], [1, 2, 3]],
  ['the tokens of one', [5, 6, 7, 8], [4]],
  ['the tokens of several', [[5], [5, 6]], [1, 2]],
  ['an empty text', [''], [1]],
  ['texts and tokens, mixed', ['one two', [5, 6, 7], ''], [2, 3, 1]],
])('%s, in their order', async (_, input, tokens) => {
  const { data, usage } = await embed({ input })
  expect(data.map(({ index }) => index)).toEqual(tokens.map((_, index) => index))
  expect(data.map(({ embedding }) => Float32Array.from(embedding))).toEqual(
    tokens.map((count) => scriptedVector(count)),
  )
  expect(usage.prompt_tokens).toBe(tokens.reduce((sum, count) => sum + count))
})

test('base64 contains the same numbers as little-endian 32-bit floats', async () => {
  const input = ['one two three', 'one']
  const { data: numbers } = await embed({ input, encoding_format: 'float' })
  const response = await postEmbeddings(helix, { input, encoding_format: 'base64' })
  const { data } = (await response.json()) as { data: { embedding: string }[] }
  const decoded = data.map(({ embedding }) => {
    const bytes = Buffer.from(embedding, 'base64')
    return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4))
  })
  expect(decoded).toEqual(numbers.map(({ embedding }) => embedding.map(Math.fround)))
})

test('null is the default, the own number of dimensions is accepted, and a user has no effect', async () => {
  const { data } = await embed({ input: 'one', encoding_format: null, dimensions: 3, user: 'me' })
  expect(data).toHaveLength(1)
  expect(await embed({ input: 'one', dimensions: null, user: null })).toMatchObject({ data: [{ index: 0 }] })
})

test.each([1, 2])('a vector is shortened to %i of 3 dimensions, and has a length of 1 again', async (dimensions) => {
  const [first = 0, second = 0] = scriptedVector(1)
  const expected = dimensions === 1 ? [1] : [first / Math.hypot(first, second), second / Math.hypot(first, second)]
  const { data } = await embed({ input: ['one'], dimensions })
  expect(data[0]?.embedding.map(Math.fround)).toEqual(expected.map(Math.fround))
})

test('the most inputs, in a large body that is read on another thread', async () => {
  const input = Array.from({ length: 2048 }, (_, index) => `${'long'.repeat(20)} ${index}`)
  const { data, usage } = await embed({ input })
  expect(data).toHaveLength(2048)
  expect(data.at(-1)).toEqual({ object: 'embedding', index: 2047, embedding: [0.5, 0.25, 0.125] })
  expect(usage.prompt_tokens).toBe(4096)
})

test('a long response, of vectors with many numbers', async () => {
  const vectorLength = 4096
  const wide = await startHelix({ startEngine: () => openScriptedEmbedder({ model: { vectorLength } }) })
  const response = await postEmbeddings(wide, { input: new Array(64).fill('one two') })
  const { data } = (await response.json()) as { data: { embedding: number[] }[] }
  expect(data).toHaveLength(64)
  expect(Float32Array.from(data[63]?.embedding ?? [])).toEqual(scriptedVector(2, vectorLength))
})

test('the tokens are in the ledger, in the usage of the key and in the log', async () => {
  const recorded = await startHelix({ startEngine: openScriptedEmbedder })
  const response = await postEmbeddings(recorded, { input: ['one', 'and two'] })
  const requestId = response.headers.get('x-request-id')
  expect(await recorded.logged({ requestId })).toMatchObject({
    path: '/v1/embeddings',
    status: 200,
    model: embedderName,
    promptTokens: 3,
    completionTokens: 0,
  })
  const [row] = await readLedger(recorded)
  expect(row).toMatchObject({
    requestId,
    endpoint: 'embeddings',
    model: embedderName,
    stream: false,
    reservedTokens: 3,
    settlement: { outcome: 'completed', promptTokens: 3, cachedTokens: 0, completionTokens: 0, error: null },
  })
})
