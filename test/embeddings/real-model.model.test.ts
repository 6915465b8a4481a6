import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { openTinyEngine } from '../harness/open-tiny-engine.ts'
import { postEmbeddings } from '../harness/post-embeddings.ts'
import { readError } from '../harness/read-error.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { startHelix } from '../harness/start-helix.ts'

const input = ['the river bank', 'money in the bank', 'the cat and the dog']

test('the official client gets vectors of a real model, as numbers and as base64, and they are billed', async () => {
  const engine = await openTinyEngine('tiny-embedding')
  await engine.firstLoad
  const helix = await startHelix({ startEngine: () => engine })
  const client = new OpenAI({ baseURL: helix.baseUrl, apiKey: helix.key, maxRetries: 0 })
  const model = engine.model.id
  const numbers = await client.embeddings.create({ model, input, encoding_format: 'float' })
  const decoded = await client.embeddings.create({ model, input })
  expect(numbers.data).toHaveLength(3)
  for (const [index, { embedding }] of numbers.data.entries()) {
    expect(Math.hypot(...embedding)).toBeCloseTo(1, 5)
    expect(embedding.map(Math.fround)).toEqual(Array.from(decoded.data[index]?.embedding ?? []))
  }
  // Each with a token at its start and end.
  expect(numbers.usage).toEqual({ prompt_tokens: 5 + 6 + 7, total_tokens: 18 })
  const tooLong = await postEmbeddings(helix, { model, input: ['a', 'cat '.repeat(300)] })
  expect(tooLong.status).toBe(400)
  expect(await readError(tooLong)).toMatchObject({
    param: 'input[1]',
    code: 'context_length_exceeded',
    message:
      "Invalid 'input[1]': this model's maximum input length is 256 tokens, but the input has 302 tokens. Please reduce its length.",
  })
  const chat = await helix.chat({ model })
  expect(await readError(chat)).toMatchObject({ code: 'model_not_supported', param: 'model' })
  const rows = await readLedger(helix)
  expect(rows.map(({ settlement }) => settlement?.promptTokens)).toEqual([18, 18])
})

test('an empty text, a list of texts and tokens, and fewer dimensions', async () => {
  const engine = await openTinyEngine('tiny-embedding')
  await engine.firstLoad
  const helix = await startHelix({ startEngine: () => engine })
  const client = new OpenAI({ baseURL: helix.baseUrl, apiKey: helix.key, maxRetries: 0 })
  const model = engine.model.id
  const empty = await client.embeddings.create({ model, input: '' })
  expect(Math.hypot(...(empty.data[0]?.embedding ?? []))).toBeCloseTo(1, 5)
  const mixed = await postEmbeddings(helix, { model, input: ['the cat', [1, 2], ''] })
  const { data }: { data: { embedding: number[] }[] } = JSON.parse(await mixed.text())
  expect(data).toHaveLength(3)
  const [whole = []] = data.map(({ embedding }) => embedding)
  const short = await client.embeddings.create({ model, input: 'the cat', dimensions: 4, encoding_format: 'float' })
  const length = Math.hypot(...whole.slice(0, 4))
  expect(short.data[0]?.embedding).toHaveLength(4)
  for (const [index, value] of (short.data[0]?.embedding ?? []).entries())
    expect(value).toBeCloseTo((whole[index] ?? 0) / length, 4)
})

test('a real chat model creates no embeddings', async () => {
  const engine = await openTinyEngine('tiny-chat')
  await engine.firstLoad
  const helix = await startHelix({ startEngine: () => engine })
  const refused = await postEmbeddings(helix, { model: engine.model.id, input })
  expect(refused.status).toBe(400)
  expect(await readError(refused)).toMatchObject({ code: 'model_not_supported', param: 'model' })
})

test('long texts are cut if the request asks for it, which is billed, and /v1/tokenize counts as embeddings do', async () => {
  const engine = await openTinyEngine('tiny-embedding')
  await engine.firstLoad
  const helix = await startHelix({ startEngine: () => engine })
  const model = engine.model.id
  const embed = async (body: Record<string, unknown>) => {
    const response = await postEmbeddings(helix, { model, ...body })
    expect(response.status).toBe(200)
    return (await response.json()) as { data: { embedding: number[] }[]; usage: { prompt_tokens: number } }
  }
  const tokenize = async (body: Record<string, unknown>) => {
    const sent = { method: 'POST', headers: helix.authorized, body: JSON.stringify({ model, ...body }) }
    return (await fetch(`${helix.baseUrl}/tokenize`, sent)).json()
  }
  const long = 'cat '.repeat(300)
  expect((await embed({ input: long, truncate: true })).usage.prompt_tokens).toBe(256)
  expect((await embed({ input: [long, 'cat'], truncate_prompt_tokens: -1 })).usage.prompt_tokens).toBe(256 + 3)
  const [cut, same] = [
    await embed({ input: 'cat '.repeat(9), truncate_prompt_tokens: 5 }),
    await embed({ input: 'cat cat cat' }),
  ]
  expect(cut).toEqual(same)
  const { count, tokens } = await tokenize({ prompt: 'the river bank' })
  expect(count).toBe((await embed({ input: 'the river bank' })).usage.prompt_tokens)
  expect((await embed({ input: tokens })).data).toEqual((await embed({ input: 'the river bank' })).data)
  expect(await tokenize({ prompt: 'the river bank', add_special_tokens: false })).toMatchObject({
    count: 3,
    max_model_len: 256,
    tokens: tokens.slice(1, -1),
  })
  expect(await tokenize({ prompt: long })).toMatchObject({
    error: { code: 'context_length_exceeded', param: 'prompt', message: expect.stringContaining('302 tokens') },
  })
  expect(await tokenize({ messages: [{ role: 'user', content: 'Hi' }] })).toMatchObject({
    error: { code: 'model_not_supported' },
  })
})
