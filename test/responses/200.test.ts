import { beforeAll, expect, test } from 'vitest'
import { ApiError } from '../../src/base/api-error.ts'
import { postResponses } from '../harness/post-responses.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { type Helix, modelName, openHelix, startHelix } from '../harness/start-helix.ts'

const call = (name: string, args: string): string[] => [
  '<tool_call>\n{"name": "',
  name,
  '", "arguments": ',
  args,
  '}\n</tool_call>',
]

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({
    answer: (messages) => {
      const said = messages.at(-1)?.content ?? ''
      if (said === 'patch') return call('patch', '{"input": "*** Begin\\nEnd"}')
      if (said === 'break') return ['Half', ' an answer', { fail: ApiError.of('engine_failed', {}) }]
      if (said === 'messages') return [JSON.stringify(messages)]
      return ['Hello', ', ', 'world', '!']
    },
  })
  return helix.close
})

const ask = async (body: Record<string, unknown>) => {
  const response = await postResponses(helix, body)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return { response, json: JSON.parse(text) }
}

const eventsOf = (text: string): [string, Record<string, unknown>][] =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => {
      const [, name = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(event) ?? []
      return [name, JSON.parse(data)]
    })

test('events are named by their type, numbered from 0, and nothing follows the last one', async () => {
  const response = await postResponses(helix, { stream: true })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const events = eventsOf(await response.text())
  expect(events.map(([name]) => name)).toEqual(events.map(([, { type }]) => type))
  expect(events.map(([, event]) => event.sequence_number)).toEqual(events.map((_, index) => index))
  expect(events.at(-1)?.[0]).toBe('response.completed')
})

test('a streamed and a complete response differ only in ids and times', async () => {
  const whole = (await ask({})).json
  const events = eventsOf(await (await postResponses(helix, { stream: true })).text())
  const [, last] = events.at(-1) ?? []
  const plain = (response: object) =>
    JSON.parse(
      JSON.stringify(response)
        .replace(/"(resp|msg)_\w+"/g, '"$1"')
        .replace(/_at":\d+/g, '_at":0'),
    )
  expect(plain(Object(last?.response))).toEqual(plain(whole))
})

test('an earlier response is continued with its input and its output, but without its instructions', async () => {
  const first = (await ask({ input: 'One', instructions: 'Be brief.' })).json
  const second = (await ask({ input: 'messages', previous_response_id: first.id, instructions: 'Be kind.' })).json
  expect(JSON.parse(second.output[0].content[0].text)).toEqual([
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'One' },
    { role: 'assistant', content: 'Hello, world!' },
    { role: 'user', content: 'messages' },
  ])
  const reference = { type: 'item_reference', id: first.output[0].id }
  const third = (await ask({ input: [reference, { role: 'user', content: 'messages' }] })).json
  expect(JSON.parse(third.output[0].content[0].text)).toMatchObject([
    { role: 'assistant', content: 'Hello, world!' },
    { role: 'user' },
  ])
})

test('tools of other kinds are not shown to the model, and a header names them', async () => {
  const tools = [{ type: 'web_search' }, { type: 'mcp', server_label: 'x' }, { type: 'web_search' }, { type: 'é\n' }]
  const { response, json } = await ask({ tools, tool_choice: 'auto' })
  expect(response.headers.get('x-helix-ignored-tools')).toBe('web_search, mcp, __')
  expect(json.tools).toEqual([])
  expect((await ask({})).response.headers.has('x-helix-ignored-tools')).toBe(false)
})

test('a custom tool gets the text that the model wrote for it', async () => {
  const tools = [
    { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } },
  ]
  const { json } = await ask({ input: 'patch', tools })
  expect(json.output).toMatchObject([{ type: 'custom_tool_call', name: 'patch', input: '*** Begin\nEnd' }])
  const [{ call_id }] = json.output
  const output = { type: 'custom_tool_call_output', call_id, output: 'Done' }
  expect((await ask({ previous_response_id: json.id, input: [output], tools })).json.status).toBe('completed')
})

test('a response that reaches its limit is incomplete', async () => {
  const { json } = await ask({ max_output_tokens: 2 })
  expect(json).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [{ status: 'incomplete', content: [{ text: 'Hello, ' }] }],
    usage: { output_tokens: 2 },
  })
})

test('log probabilities are included if they are asked for', async () => {
  const { json } = await ask({ include: ['message.output_text.logprobs'], top_logprobs: 1 })
  const [{ content }] = json.output
  expect(content[0].logprobs.map(({ token }: { token: string }) => token).join('')).toBe('Hello, world!')
})

test('the ledger names the endpoint', async () => {
  const own = await startHelix()
  const { status } = await postResponses(own, {})
  expect(status).toBe(200)
  expect(await readLedger(own)).toMatchObject([{ endpoint: 'responses' }])
})

test('a retry with the same Idempotency-Key gets the same response, and the same stream from where it broke off', async () => {
  const headers = { 'idempotency-key': 'one' }
  const first = await (await postResponses(helix, {}, { headers })).text()
  const again = await postResponses(helix, {}, { headers })
  expect([again.headers.get('idempotent-replayed'), await again.text()]).toEqual(['true', first])
  const streamed = { headers: { 'idempotency-key': 'two' } }
  const all = (await (await postResponses(helix, { stream: true }, streamed)).text()).split('\n\n')
  const [, id = ''] = /^id: (.*)$/m.exec(all[3] ?? '') ?? []
  const resumed = await postResponses(
    helix,
    { stream: true },
    { headers: { ...streamed.headers, 'last-event-id': id } },
  )
  expect((await resumed.text()).split('\n\n')).toEqual(all.slice(4))
})

test.each([
  ['without', {}],
  ['with', { 'idempotency-key': 'failing' }],
])('a stream that fails ends with the failed response and the error, %s an Idempotency-Key', async (_, headers) => {
  const response = await postResponses(helix, { stream: true, input: 'break' }, { headers })
  const text = (await response.text()).replaceAll(/^id: .*\n/gm, '')
  const events = eventsOf(text).map(([, event]) => event)
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index))
  const [itemDone, failed, error] = events.slice(-3)
  expect(itemDone).toMatchObject({ type: 'response.output_item.done', item: { status: 'incomplete' } })
  expect(failed).toMatchObject({
    type: 'response.failed',
    response: {
      status: 'failed',
      error: { code: 'server_error' },
      output: [{ status: 'incomplete', content: [{ text: 'Half an answer' }] }],
    },
  })
  expect(error).toMatchObject({ type: 'error', code: 'engine_failed' })
})

test('with truncation auto the oldest items are left out, but neither instructions nor half of a call', async () => {
  const long = 'x'.repeat(4000)
  const input = [
    ...Array.from({ length: 5 }, (_, index) => ({ role: 'user', content: `${index} ${long}` })),
    { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
    { type: 'function_call_output', call_id: 'call_1', output: long },
    { role: 'user', content: 'messages' },
  ]
  const body = { instructions: 'Be brief.', input, max_output_tokens: 50 }
  expect((await postResponses(helix, body)).status).toBe(400)
  const { json } = await ask({ ...body, truncation: 'auto' })
  const sent: { role: string; content: string }[] = JSON.parse(json.output[0].content[0].text)
  expect(sent.map(({ role, content }) => `${role} ${content.slice(0, 9)}`)).toEqual([
    'system Be brief.',
    'user 2 xxxxxxx',
    'user 3 xxxxxxx',
    'user 4 xxxxxxx',
    'assistant ',
    'tool xxxxxxxxx',
    'user messages',
  ])
  expect(json.truncation).toBe('auto')
  // The stored input is complete.
  const items = await (await helix.get(`/v1/responses/${json.id}/input_items`)).json()
  expect(items).toMatchObject({ data: { length: input.length } })
  const counted = await fetch(`${helix.baseUrl}/responses/input_tokens`, {
    method: 'POST',
    headers: helix.authorized,
    body: JSON.stringify({ model: modelName, instructions: body.instructions, input, truncation: 'auto' }),
  })
  expect(await counted.json()).toEqual({ object: 'response.input_tokens', input_tokens: json.usage.input_tokens })
  // Nothing can be left out of a single message.
  expect((await postResponses(helix, { input: 'x'.repeat(20_000), truncation: 'auto' })).status).toBe(400)
})

test('a format of json_object is accepted without the word, and the model is told', async () => {
  const messages = [{ role: 'user', content: 'messages' }]
  const text = { format: { type: 'json_object' } }
  const plain = JSON.parse(await (await postResponses(helix, { input: messages })).text())
  const told = JSON.parse(await (await postResponses(helix, { input: messages, text })).text())
  expect(told.text.format).toEqual({ type: 'json_object' })
  expect(told.usage.input_tokens).toBeGreaterThan(plain.usage.input_tokens)
})

test('effort and verbosity of any value are accepted by a model that has neither', async () => {
  for (const effort of ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])
    expect((await postResponses(helix, { input: 'Hi', reasoning: { effort } })).status).toBe(200)
  for (const verbosity of ['low', 'medium', 'high']) {
    const response = await postResponses(helix, { input: 'Hi', text: { verbosity } })
    expect(JSON.parse(await response.text()).text).toEqual({ format: { type: 'text' }, verbosity })
  }
})

test('there is no endpoint that compacts a conversation, and no response of that name', async () => {
  const { baseUrl, authorized } = helix
  for (const method of ['POST', 'GET']) {
    const response = await fetch(`${baseUrl}/responses/compact`, { method, headers: authorized })
    expect([response.status, JSON.parse(await response.text()).error.code]).toEqual([404, 'unknown_url'])
  }
})
