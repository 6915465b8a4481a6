import type { ServerResponse } from 'node:http'
import { beforeAll, expect, test } from 'vitest'
import { readUpstream } from '../../src/config/upstream-setting.ts'
import { askApart, postApart } from '../harness/ask-apart.ts'
import { readLedger } from '../harness/read-ledger.ts'
import {
  doneEvent,
  finishEvent,
  pieceEvent,
  startUpstream,
  stream,
  type Upstream,
  usageEvent,
} from '../harness/scripted-upstream.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'
import { twoWorkers } from '../harness/start-with-workers.ts'
import { withoutPassingOn } from '../harness/without-passing-on.ts'

const parts = [pieceEvent('Tides'), pieceEvent(' rise'), finishEvent(), usageEvent(5, 2), doneEvent]

/** As the Responses API is published. */
const message = {
  ...{ id: 'msg_up', type: 'message', status: 'completed', role: 'assistant' },
  content: [{ type: 'output_text', text: 'The sky is blue.', annotations: [], logprobs: [] }],
}
const usage = {
  ...{ input_tokens: 30, input_tokens_details: { cached_tokens: 10 } },
  ...{ output_tokens: 12, output_tokens_details: { reasoning_tokens: 5 }, total_tokens: 42 },
}
const document = { id: 'resp_up', object: 'response', status: 'completed', model: 'sky', output: [message], usage }
const event = (type: string, fields: object): string => `data: ${JSON.stringify({ type, ...fields })}\n\n`
const nativeEvents = [
  event('response.created', { response: { ...document, status: 'in_progress', output: [], usage: null } }),
  event('response.output_item.added', { output_index: 0, item: { ...message, content: [], status: 'in_progress' } }),
  event('response.output_text.delta', { output_index: 0, item_id: 'msg_up', content_index: 0, delta: 'The sky' }),
  event('response.output_text.delta', { output_index: 0, item_id: 'msg_up', content_index: 0, delta: ' is blue.' }),
  event('response.output_item.done', { output_index: 0, item: message }),
  event('response.completed', { response: document }),
]
const answerNatively = (response: ServerResponse, { body }: { body: Record<string, unknown> }): unknown => {
  if (body.stream === true) return stream(response, ...nativeEvents)
  return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
}

let translated: Upstream
let native: Upstream
let helix: Helix

beforeAll(async () => {
  translated = await startUpstream((response) => stream(response, ...parts))
  native = await startUpstream(answerNatively)
  const one = { name: 'one', url: translated.baseUrl, models: [{ name: 'big' }] }
  const other = { name: 'other', preset: 'openai', url: native.baseUrl, key: 'sk-0', models: [{ name: 'sky' }] }
  const upstreams = [readUpstream(one, 'one'), readUpstream(other, 'other')]
  helix = await openHelix(twoWorkers(translated.baseUrl, { upstreams }))
  return helix.close
})

const respond = async (body: object) => {
  const { status, text } = await postApart(helix, helix.key, '/v1/responses', { model: 'big', ...body })
  return { status, text, json: () => JSON.parse(text) as { id: string; error?: { code: string } } }
}

/** Each on a connection of its own, so that both workers get some. */
const respondToAll = (body: object) =>
  Promise.all([false, true, false, true, false, true, false, true].map((stream) => respond({ ...body, stream })))

test('workers answer and store responses, and continue each other’s conversations', async () => {
  const first = await withoutPassingOn(helix, async () => {
    const asked = await respond({ input: 'What are tides?' })
    expect(asked.status).toBe(200)
    const { id } = asked.json()
    for (const { status, text } of await respondToAll({ input: 'And then?', previous_response_id: id })) {
      expect(status).toBe(200)
      expect(text).toContain('Tides rise')
    }
    const unknown = await respond({ input: 'And then?', previous_response_id: 'resp_none' })
    expect(unknown.json().error).toMatchObject({ code: 'previous_response_not_found' })
    return id
  })
  expect(translated.asked).toHaveLength(9)
  for (const { body } of translated.asked.slice(1))
    expect(body.messages).toEqual([
      { role: 'user', content: 'What are tides?' },
      { role: 'assistant', content: 'Tides rise' },
      { role: 'user', content: 'And then?' },
    ])
  const stored = await helix.get(`/v1/responses/${first}`)
  expect(await stored.json()).toMatchObject({ id: first, status: 'completed' })
  const local = await respond({ model: 'helix-v1', input: 'And then?', previous_response_id: first })
  expect(local.json()).toMatchObject({ previous_response_id: first, status: 'completed' })
})

test('workers pass the items of an upstream with a Responses API on as they are', async () => {
  const answers = await withoutPassingOn(helix, () => respondToAll({ model: 'sky', input: 'What is up?' }))
  for (const { status, text } of answers) {
    expect(status).toBe(200)
    expect(text).toContain('"msg_up"')
    expect(text).toContain('The sky is blue.')
  }
  const asked = native.asked.filter(({ url }) => url === '/v1/responses')
  expect(asked).toHaveLength(8)
  for (const { body } of asked) expect(body).toMatchObject({ store: false })
})

test('a chat completion is stored by a worker', async () => {
  const { status, text } = await withoutPassingOn(helix, () => askApart(helix, helix.key, { store: true }))
  expect(status).toBe(200)
  const { id } = JSON.parse(text) as { id: string }
  const stored = await helix.get(`/v1/chat/completions/${id}`)
  expect(await stored.json()).toMatchObject({ id, choices: [{ message: { content: 'Tides rise' } }] })
})

test('the ledger has each of them once', async () => {
  const settled = (await readLedger(helix)).map(({ model, endpoint, settlement }) =>
    [endpoint, model, settlement?.outcome, settlement?.promptTokens, settlement?.completionTokens].join(' '),
  )
  const count = (line: string): number => settled.filter((one) => one === line).length
  expect(count('responses big completed 5 2')).toBe(9)
  expect(count('responses sky completed 30 12')).toBe(8)
  expect(count('chat.completions big completed 5 2')).toBe(1)
  // One was for the model of this machine.
  expect(settled).toHaveLength(19)
})
