import { beforeAll, expect, test } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { readError } from '../harness/read-error.ts'
import { readEvents } from '../harness/read-events.ts'
import { embedderName, openScriptedEmbedder } from '../harness/scripted-embedder.ts'
import { openScriptedReranker, rerankerName } from '../harness/scripted-reranker.ts'
import { type Helix, modelName, openHelix, startHelix } from '../harness/start-helix.ts'

let helix: Helix
let anna: Awaited<ReturnType<typeof signUp>>
beforeAll(async () => {
  helix = await openHelix()
  await claimServer(helix)
  anna = await signUp(helix.url, 'anna@example.com')
  return helix.close
})

const model = modelName
const messages = [{ role: 'user', content: 'Hi' }]

test.each([
  ['responses', { model, input: 'Hi', store: false }, { object: 'response', status: 'completed' }],
  ['messages', { model, messages, max_tokens: 8 }, { type: 'message', role: 'assistant' }],
  ['completions', { model, prompt: 'Hi', max_tokens: 8 }, { object: 'text_completion' }],
])('a session sends %s like a key, and the ledger has it', async (name, body, expected) => {
  const response = await anna.post(`/playground/${name}`, body)
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject(expected)
  const id = response.headers.get('x-request-id')
  const shown = await (await anna.get(`/requests/${id}`)).json()
  expect(shown).toMatchObject({ id, keyId: null, endpoint: 'playground', outcome: 'completed' })
  const streamed = await anna.post(`/playground/${name}`, { ...body, stream: true })
  expect(streamed.headers.get('content-type')).toMatch(/^text\/event-stream/)
  expect((await readEvents(streamed)).length).toBeGreaterThan(1)
})

test('errors have the form of all errors of the site, and are in the request log', async () => {
  const refused = await anna.post('/playground/messages', { model, messages })
  expect(refused.status).toBe(400)
  expect(await readError(refused)).toMatchObject({ param: 'max_tokens' })
  const find = async () => (await anna.get(`/requests/${refused.headers.get('x-request-id')}`)).json()
  // Refusals are written a moment later.
  await expect.poll(find).toMatchObject({ keyId: null, endpoint: 'playground', outcome: 'refused' })
})

test('a session lists the models', async () => {
  const response = await anna.get('/playground/models')
  expect(await response.json()).toMatchObject({ object: 'list', data: [{ id: modelName, object: 'model' }] })
})

test('a session embeds texts, which count as usage of its organisation', async () => {
  const embedding = await startHelix({ startEngine: openScriptedEmbedder })
  const owner = await claimServer(embedding)
  const response = await owner.post('/playground/embeddings', { model: embedderName, input: 'two words' })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ data: [{ embedding: [0.5, 0.25, 0.125] }] })
  const shown = await (await owner.get(`/requests/${response.headers.get('x-request-id')}`)).json()
  expect(shown).toMatchObject({ keyId: null, endpoint: 'playground', promptTokens: 2 })
})

test('a session reranks documents', async () => {
  const reranking = await startHelix({ startEngine: openScriptedReranker })
  const owner = await claimServer(reranking)
  const response = await owner.post('/playground/rerank', { model: rerankerName, query: 'a', documents: ['b', 'a'] })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ results: [{ index: 1 }, { index: 0 }] })
})
