import Anthropic from '@anthropic-ai/sdk'
import { beforeAll, expect, test } from 'vitest'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

/** The official client, as an application would use it: only the address and the key are ours. */
let helix: Helix
let client: Anthropic
beforeAll(async () => {
  helix = await openHelix({
    answer: (messages) => answers[messages.at(-1)?.content ?? ''] ?? ['Hello', ', ', 'world', '!'],
  })
  client = new Anthropic({ baseURL: helix.baseUrl.replace(/\/v1$/, ''), apiKey: helix.key, maxRetries: 0 })
  return helix.close
})
const call = ['<tool_call>\n{"name": "get_weather", ', '"arguments": {"city": "Paris"}}\n</tool_call>']
const answers: Record<string, string[]> = { 'Weather?': call, Rain: ['It ', 'rains.'] }
const asking = (content: string): Anthropic.MessageCreateParamsNonStreaming => ({
  model: modelName,
  max_tokens: 100,
  messages: [{ role: 'user', content }],
})
const weather: Anthropic.Tool = {
  name: 'get_weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
}
const tools = [weather]

test('create: a message, its usage and its request id', async () => {
  const message = await client.messages.create(asking('Hi'))
  expect(message).toMatchObject({ role: 'assistant', content: [{ type: 'text', text: 'Hello, world!' }] })
  expect(message.usage).toMatchObject({ input_tokens: 2, output_tokens: 4 })
  expect(message._request_id).toMatch(/^req_/)
})

test('stream: the helper assembles text, and then a call that is answered', async () => {
  const stream = client.messages.stream(asking('Hi'))
  const heard: string[] = []
  stream.on('text', (delta) => heard.push(delta))
  expect((await stream.finalMessage()).content).toMatchObject([{ text: 'Hello, world!' }])
  expect(heard.join('')).toBe('Hello, world!')

  const called = await client.messages.stream({ ...asking('Weather?'), tools }).finalMessage()
  expect(called).toMatchObject({
    stop_reason: 'tool_use',
    content: [{ name: 'get_weather', input: { city: 'Paris' } }],
  })
  const [use] = called.content
  const result = { type: 'tool_result' as const, tool_use_id: use?.type === 'tool_use' ? use.id : '', content: 'Rain' }
  const messages: Anthropic.MessageParam[] = [
    { role: 'user', content: 'Weather?' },
    { role: 'assistant', content: called.content },
    { role: 'user', content: [result] },
  ]
  const last = await client.messages.create({ ...asking(''), messages, tools })
  expect(last).toMatchObject({ stop_reason: 'end_turn', content: [{ text: 'It rains.' }] })
})

test.each([false, true])('the tool runner goes on without threads (stream: %s)', async (stream) => {
  const runnable = { ...weather, run: () => 'Rain', parse: (input: unknown) => input }
  const runner = client.beta.messages.toolRunner({ ...asking('Weather?'), tools: [runnable], stream })
  const last = await runner.runUntilDone()
  expect(last.content).toMatchObject([{ type: 'text', text: 'It rains.' }])
})

test('the beta endpoint, counting tokens, the list of models and an error', async () => {
  const message = await client.beta.messages.create({ ...asking('Hi'), betas: ['interleaved-thinking-2025-05-14'] })
  expect(message.content).toMatchObject([{ text: 'Hello, world!' }])
  const { model, messages } = asking('Hi')
  expect(await client.messages.countTokens({ model, messages })).toEqual({ input_tokens: 2 })
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual([modelName])
  await expect(client.messages.create({ ...asking('Hi'), model: 'claude' })).rejects.toBeInstanceOf(
    Anthropic.NotFoundError,
  )
})
