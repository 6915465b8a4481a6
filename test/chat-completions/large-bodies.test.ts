import { beforeAll, expect, test, vi } from 'vitest'
import { claimServer } from '../harness/browser-session.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, modelName, openHelix, startHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ engine: { model: { contextTokens: null } } })
  return helix.close
})

const bodyOf = (fields: object): string =>
  JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'Hi' }], ...fields })
const conversation = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: `${index}` }))
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))

test('a long agent conversation is accepted: thousands of messages, half of them with calls', async () => {
  const turns = Array.from({ length: 2500 }, (_, turn) => [
    { role: 'assistant', content: null, tool_calls: [call(turn)] },
    { role: 'tool', tool_call_id: `call_${turn}`, content: [{ type: 'text', text: 'x'.repeat(400) }] },
  ])
  const response = await helix.post(bodyOf({ messages: [{ role: 'user', content: 'Go' }, ...turns.flat()] }))
  expect(response.status).toBe(200)
})
const call = (turn: number) => ({
  id: `call_${turn}`,
  type: 'function',
  function: { name: 'look', arguments: '{"path":"src/main.ts"}' },
})

test('more than 10,000 messages are a 400 that says so', async () => {
  const response = await helix.post(bodyOf({ messages: conversation(99_000) }))
  expect(response.status).toBe(400)
  expect(await readError(response)).toMatchObject({
    param: 'messages',
    message: expect.stringContaining('16384'),
  })
  const fewer = await helix.post(bodyOf({ messages: conversation(10_001) }))
  expect(fewer.status).toBe(400)
  expect(await readError(fewer)).toMatchObject({ code: 'array_above_max_length', param: 'messages' })
  expect((await helix.post(bodyOf({ messages: conversation(10_000) }))).status).toBe(200)
})

test('more than 1,000 parts in a message are a 400 at its content', async () => {
  const parts = (count: number) => [
    { role: 'user', content: Array.from({ length: count }, () => ({ type: 'text', text: 'a' })) },
  ]
  expect((await helix.post(bodyOf({ messages: parts(1000) }))).status).toBe(200)
  const response = await helix.post(bodyOf({ messages: parts(1001) }))
  expect(await readError(response)).toMatchObject({ code: 'array_above_max_length', param: 'messages[0].content' })
})

test('more than 2,000 keys in an object are a 400 at that object, known or not', async () => {
  const whole = await helix.post(bodyOf(keys(300_000)))
  expect(whole.status).toBe(400)
  expect(await readError(whole)).toMatchObject({ param: null, message: expect.stringContaining('2000 keys') })
  const inside = await helix.post(bodyOf({ chat_template_kwargs: { a: [1, keys(2001)] } }))
  expect(await readError(inside)).toMatchObject({ param: 'chat_template_kwargs.a[1]' })
  expect((await helix.post(bodyOf({ chat_template_kwargs: { a: keys(2000) } }))).status).toBe(200)
})

test('a large body is neither parsed nor serialised on the main thread', async () => {
  const server = await startHelix({ engine: { model: { contextTokens: null } } })
  const owner = await claimServer(server)
  expect((await owner.post('/organisation/bodies', { days: 7 })).ok).toBe(true)
  const content = 'Tell me "everything"\n'.repeat(20_000)
  const words = Array.from({ length: 4000 }, (_, index) => `a word of some length, number ${index}`)
  const schema = { type: 'object', properties: { word: { enum: words } } }
  const bodies = [
    bodyOf({ messages: [{ role: 'user', content }], store: true }),
    bodyOf({ response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } }),
  ]
  const parse = vi.spyOn(JSON, 'parse')
  const stringify = vi.spyOn(JSON, 'stringify')
  try {
    for (const [index, body] of bodies.entries()) {
      const headers = {
        authorization: `Bearer ${owner.firstKey.key}`,
        'content-type': 'application/json',
        'idempotency-key': `${index}`,
      }
      const response = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', headers, body })
      expect(response.status).toBe(200)
      await response.text()
    }
    const parsed = parse.mock.calls.map(([text]) => text.length)
    const written = stringify.mock.results.map(({ value }) => String(value).length)
    expect(Math.max(0, ...parsed, ...written)).toBeLessThan(65_536)
  } finally {
    vi.restoreAllMocks()
  }
})
