import { beforeAll, expect, test } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { layeredSchema } from '../harness/layered-schema.ts'
import { readError } from '../harness/read-error.ts'
import { readEvents } from '../harness/read-events.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

let helix: Helix
let anna: Awaited<ReturnType<typeof signUp>>
beforeAll(async () => {
  helix = await openHelix()
  await claimServer(helix)
  anna = await signUp(helix.url, 'anna@example.com')
  return helix.close
})

const path = '/playground/chat/completions'
const chat = { model: modelName, messages: [{ role: 'user', content: 'Hi' }] }

test('the playground answers like the API', async () => {
  const response = await anna.post(path, chat)
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({
    object: 'chat.completion',
    choices: [{ message: { role: 'assistant', content: 'Hello, world!' } }],
  })
})

test('the playground streams', async () => {
  const response = await anna.post(path, { ...chat, stream: true })
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const events = await readEvents(response)
  expect(events.at(-1)).toBe('[DONE]')
  const pieces = events.slice(0, -1).map((event) => JSON.parse(event).choices[0]?.delta.content ?? '')
  expect(pieces.join('')).toBe('Hello, world!')
})

test('the playground acts for the organisation of the session: its keys see what it stores', async () => {
  const kept = (await (await anna.post(path, { ...chat, store: true })).json()) as { id: string }
  const read = (key: string) =>
    fetch(`${helix.baseUrl}/chat/completions/${kept.id}`, { headers: { authorization: `Bearer ${key}` } })
  expect((await read(anna.firstKey.key)).status).toBe(200)
  expect((await read(helix.key)).status).toBe(404)
})

test('errors of the playground are those of the API, and its log event contains the account', async () => {
  const response = await anna.post(path, { ...chat, model: 'other' })
  expect(response.status).toBe(404)
  expect(await readError(response)).toMatchObject({ code: 'model_not_found' })
  const event = await helix.logged({ requestId: response.headers.get('x-request-id') })
  expect(event).toMatchObject({ path: `/platform${path}`, accountId: expect.stringMatching(/^usr_/) })
  expect(event).not.toHaveProperty('keyId')
})

test('the playground ignores Idempotency-Key', async () => {
  const ids: unknown[] = []
  for (let turn = 0; turn < 2; turn += 1) {
    const response = await anna.post(path, chat, { 'idempotency-key': 'same' })
    expect(response.headers.has('idempotent-replayed')).toBe(false)
    ids.push(((await response.json()) as { id: string }).id)
  }
  expect(new Set(ids).size).toBe(2)
  expect((await anna.post(path, chat, { 'idempotency-key': '' })).status).toBe(200)
})

test('a tool with very many alternatives is compiled like any other, even for a new account', async () => {
  const { $defs, ...choice } = layeredSchema(20)
  const parameters = { type: 'object', properties: { a: choice }, $defs }
  const tools = [{ type: 'function', function: { name: 'f', parameters } }]
  expect((await anna.post(path, { ...chat, tools })).status).toBe(200)
})
