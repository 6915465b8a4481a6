import OpenAI from 'openai'
import OpenAI6 from 'openai-6'
import { beforeAll, expect, test } from 'vitest'
import { embedderName, openScriptedEmbedder, scriptedVector } from '../harness/scripted-embedder.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ startEngine: openScriptedEmbedder })
  return helix.close
})

test.each([
  ['7', OpenAI],
  ['6', OpenAI6],
])('the official client, version %s, decodes the base64 that it asks for, and takes numbers', async (_, Client) => {
  const client = new Client({ baseURL: helix.baseUrl, apiKey: helix.key, maxRetries: 0 })
  const input = ['one', 'one two three']
  const decoded = await client.embeddings.create({ model: embedderName, input })
  expect(decoded.data.map(({ embedding }) => Float32Array.from(embedding))).toEqual([
    scriptedVector(1),
    scriptedVector(3),
  ])
  expect(decoded.usage).toEqual({ prompt_tokens: 4, total_tokens: 4 })
  const numbers = await client.embeddings.create({ model: embedderName, input, encoding_format: 'float' })
  expect(numbers.data.map(({ embedding }) => embedding.map(Math.fround))).toEqual(
    decoded.data.map(({ embedding }) => Array.from(embedding)),
  )
  const tokens = await client.embeddings.create({ model: embedderName, input: [[1], [1, 2]] })
  expect(tokens.data.map(({ index }) => index)).toEqual([0, 1])
})

test('its error classes are those that applications catch', async () => {
  const client = new OpenAI({ baseURL: helix.baseUrl, apiKey: helix.key, maxRetries: 0 })
  const refused = await client.embeddings.create({ model: embedderName, input: 'one', dimensions: 4 }).catch((e) => e)
  expect(refused).toBeInstanceOf(OpenAI.BadRequestError)
  expect(refused).toMatchObject({ status: 400, param: 'dimensions' })
})
