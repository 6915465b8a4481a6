import { expect, test } from 'vitest'
import { readLedger } from '../harness/read-ledger.ts'
import { doneEvent, finishEvent, pieceEvent, startUpstream, stream, usageEvent } from '../harness/scripted-upstream.ts'
import { postJson, startWithUpstreams } from '../harness/upstream-helix.ts'

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

/** A complete answer of each API, as its documentation has it. */
const messagesApi = [
  event({ type: 'message_start', message: { role: 'assistant', content: [], usage: { input_tokens: 7 } } }),
  event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } }),
  event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } }),
  event({ type: 'message_stop' }),
]
const item = { id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] }
const responsesApi = [
  event({ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'Hello' }),
  event({
    type: 'response.completed',
    response: { status: 'completed', output: [item], usage: { input_tokens: 7, output_tokens: 3 } },
  }),
]
const chatApi = [pieceEvent('Hello'), finishEvent(), usageEvent(7, 3), doneEvent]

const chat = { path: '/chat/completions', body: { messages: [{ role: 'user', content: 'Hi' }] } }
const apis = [
  { api: 'chat', upstream: { kind: 'compatible' }, events: chatApi, ...chat },
  { api: 'messages', upstream: { kind: 'anthropic' }, events: messagesApi, ...chat },
  {
    ...{ api: 'responses', upstream: { kind: 'openai', capabilities: ['responses'] }, events: responsesApi },
    ...{ path: '/responses', body: { input: 'Hi', store: false } },
  },
] as const

const ask = async ({ upstream, path, body }: (typeof apis)[number], write: string) => {
  const server = await startUpstream((response) => stream(response, write))
  const helix = await startWithUpstreams([{ name: 'odd', url: server.baseUrl, models: [{ name: 'odd' }], ...upstream }])
  const init = {
    method: 'POST',
    headers: helix.authorized,
    body: JSON.stringify({ model: 'odd', ...body, stream: true }),
  }
  const response = await fetch(`${helix.baseUrl}${path}`, init)
  const text = await response.text()
  const [row] = await readLedger(helix)
  return { status: response.status, text, settlement: row?.settlement }
}

const complete = { outcome: 'completed', promptTokens: 7, completionTokens: 3 }

test.each(apis)('what follows the last event of $api is no part of the answer', async (one) => {
  const rest = `${event({ type: 'error', error: { message: 'late' } })}data: no JSON\n\n<html>`
  const { status, text, settlement } = await ask(one, [...one.events, rest].join(''))
  expect([status, text]).toEqual([200, expect.stringContaining('Hello')])
  expect(text).not.toContain('"error":{')
  expect(settlement).toMatchObject(complete)
})

test.each(apis)('a byte order mark before the first event of $api costs no text', async (one) => {
  const { text, settlement } = await ask(one, `\ufeff${one.events.join('')}`)
  expect(text).toContain('Hello')
  expect(settlement).toMatchObject(complete)
})

test('a byte order mark before a JSON answer is no error', async () => {
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }]
  const { baseUrl } = await startUpstream((response) => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
    response.end(`\ufeff${JSON.stringify({ choices, usage: { prompt_tokens: 7, completion_tokens: 3 } })}`)
  })
  const helix = await startWithUpstreams([{ name: 'odd', url: baseUrl, models: [{ name: 'odd' }] }])
  const { body } = await postJson(helix, '/chat/completions', { model: 'odd', ...chat.body })
  expect(body).toMatchObject({ choices: [{ message: { content: 'Hello' } }], usage: { completion_tokens: 3 } })
})

const longText = 'word '.repeat(1_000_000)
const wholeAnswers = {
  chat: {
    choices: [{ index: 0, message: { role: 'assistant', content: longText }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 7, completion_tokens: 1_000_000 },
  },
  messages: {
    ...{ type: 'message', role: 'assistant', content: [{ type: 'text', text: longText }], stop_reason: 'end_turn' },
    usage: { input_tokens: 7, output_tokens: 1_000_000 },
  },
}

test.each([
  ['chat', 'compatible', '/chat/completions'],
  ['messages', 'anthropic', '/chat/completions'],
  ['messages', 'anthropic', '/messages'],
] as const)('five megabytes for 50 tokens are cut as in a stream, by %s of kind %s at %s', async (api, kind, path) => {
  const { baseUrl } = await startUpstream((response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(wholeAnswers[api]))
  })
  const helix = await startWithUpstreams([{ name: 'odd', url: baseUrl, kind, models: [{ name: 'odd' }] }])
  const { status, body } = await postJson(helix, path, { model: 'odd', ...chat.body, max_tokens: 50 })
  expect(status).toBe(200)
  const text = JSON.stringify(body)
  expect(text).toMatch(/"(finish_reason":"length|stop_reason":"max_tokens)"/)
  expect(text).toContain('word word')
  expect(text.length).toBeLessThan(20_000)
  const [row] = await readLedger(helix)
  expect(row?.settlement).toMatchObject({ outcome: 'completed', completionTokens: 50 })
})

const noObjects = ['5', 'null', '"x"', '[]', '[{"choices":[]}]', 'true', '{', 'no JSON']
test.each(apis)('an event of $api whose data is no object is a fault of the upstream', async (one) => {
  let data = ''
  const server = await startUpstream((response) => stream(response, `data: ${data}\n\n`))
  const { upstream, path, body } = one
  const helix = await startWithUpstreams([{ name: 'odd', url: server.baseUrl, models: [{ name: 'odd' }], ...upstream }])
  for (data of noObjects)
    for (const isStream of [true, false]) {
      await helix.control('POST', '/control/upstreams/odd/resume', {})
      const answer = await postJson(helix, path, { model: 'odd', ...body, stream: isStream })
      expect([data, answer.status, answer.body.error?.code]).toEqual([data, 502, 'upstream_failed'])
    }
  // What is logged has no stack, and nothing that the upstream sent.
  const causes = helix.logLines.filter((line) => line.includes('request_failed'))
  expect(causes.length).toBeGreaterThan(0)
  for (const line of causes) expect(line).not.toMatch(/TypeError|\.ts:\d|no JSON"/)
})

test('a vector that is far too long is a fault of the upstream, not of the one who sent one short text', async () => {
  const { baseUrl } = await startUpstream((response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ data: [{ index: 0, embedding: new Array(100_000).fill(0.25) }] }))
  })
  const models = [{ name: 'odd', kind: 'embedding' }]
  const helix = await startWithUpstreams([{ name: 'odd', url: baseUrl, models }])
  const { status, body } = await postJson(helix, '/embeddings', { model: 'odd', input: 'Hi' })
  expect([status, body]).toEqual([502, { error: expect.objectContaining({ code: 'upstream_failed' }) }])
})
