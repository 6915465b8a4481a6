import { expect, test } from 'vitest'
import type { Conversation, Sampling } from '../../src/engine/contract.ts'
import type { Script } from '../../src/engine/scripted.ts'
import { createMatcher } from '../../src/grammar/matcher.ts'
import { askBothWays, readCompletion } from '../harness/ask-both-ways.ts'
import { callText } from '../harness/call-text.ts'
import { cutBytes } from '../harness/cut-bytes.ts'
import { official } from '../harness/expect-refusal.ts'
import { startHelix } from '../harness/start-helix.ts'

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
  },
}
const time = { type: 'function', function: { name: 'get_time' } }
const tools = [weather, time]

const startSaying = async (text: string) => {
  const seen: { sampling: Sampling; conversation: Conversation }[] = []
  const answer: Script = (_, sampling, conversation) => {
    seen.push({ sampling, conversation })
    return cutBytes(Buffer.from(text), [3, 12, 20, 31, 40, 55, 70])
  }
  const helix = await startHelix({ answer })
  const allows = (spoken: string): boolean => {
    const constraint = seen.at(-1)?.sampling.constraint
    if (!constraint) return true
    const matcher = createMatcher(constraint.grammar)
    const end = matcher.advance(matcher.start, Buffer.from(spoken))
    return end !== null && matcher.mayEnd(end)
  }
  return { helix, seen, allows, last: () => seen.at(-1) }
}
const tokyo = callText('get_weather', { city: '東京' })
const now = callText('get_time', {})
const tokyoCall = {
  id: expect.stringMatching(/^call_\w{24}$/),
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city":"東京"}' },
}

test('a call has content null and finish_reason tool_calls', async () => {
  const { helix, last } = await startSaying(tokyo)
  const { choices } = await askBothWays(helix, { tools })
  expect(choices).toEqual([
    {
      index: 0,
      message: { role: 'assistant', content: null, refusal: null, tool_calls: [tokyoCall] },
      logprobs: null,
      finish_reason: 'tool_calls',
    },
  ])
  expect(last()?.conversation.tools).toMatchObject([
    {
      name: 'get_weather',
      description: 'The weather in a city.',
      parameters: JSON.stringify(weather.function.parameters),
    },
    { name: 'get_time', description: null, parameters: null },
  ])
})

test('without a call there is no key tool_calls, with or without tools', async () => {
  const { helix } = await startSaying('It is warm.')
  for (const body of [{}, { tools }]) {
    const { choices } = await askBothWays(helix, body)
    expect(choices[0]?.message).toEqual({ role: 'assistant', content: 'It is warm.', refusal: null })
  }
})

test('text before a call is content, without the white space between them', async () => {
  const { helix } = await startSaying(`Let me look. 日本\n\n${tokyo}`)
  const { choices } = await askBothWays(helix, { tools })
  expect(choices[0]).toMatchObject({
    message: { content: 'Let me look. 日本', tool_calls: [tokyoCall] },
    finish_reason: 'tool_calls',
  })
})

test('two calls have different ids; without parallel_tool_calls there is one, and the engine is freed', async () => {
  const { helix, allows } = await startSaying(`${tokyo}\n${now}`)
  const { choices } = await askBothWays(helix, { tools })
  expect(choices[0]?.message.tool_calls).toEqual([
    tokyoCall,
    { id: expect.stringMatching(/^call_/), type: 'function', function: { name: 'get_time', arguments: '{}' } },
  ])
  const ids = choices[0]?.message.tool_calls?.map(({ id }) => id)
  expect(new Set(ids).size).toBe(2)
  expect(allows(`${tokyo}\n${now}`.slice('<tool_call>'.length))).toBe(true)

  const alone = await askBothWays(helix, { tools, parallel_tool_calls: false })
  expect(alone.choices[0]).toMatchObject({ message: { tool_calls: [tokyoCall] }, finish_reason: 'tool_calls' })
  expect(alone.choices[0]?.message.tool_calls).toHaveLength(1)
  expect(allows(`${tokyo}\n${now}`.slice('<tool_call>'.length))).toBe(false)
  expect(helix.engine.active()).toBe(0)
})

test('ids of calls are unique, within and across responses', async () => {
  const { helix } = await startSaying(`${tokyo}\n${tokyo}`)
  const answers = await Promise.all(Array.from({ length: 10 }, async () => readCompletion(await helix.chat({ tools }))))
  const ids = answers.flatMap(({ choices }) => choices[0]?.message.tool_calls?.map(({ id }) => id) ?? [])
  expect(ids).toHaveLength(20)
  expect(new Set(ids).size).toBe(20)
  for (const id of ids) expect(id).toMatch(/^call_\w{24}$/)
})

test('with required, the answer is constrained to calls from its first character', async () => {
  const { helix, last, allows } = await startSaying(tokyo)
  const { choices } = await askBothWays(helix, { tools, tool_choice: 'required' })
  expect(choices[0]?.finish_reason).toBe('tool_calls')
  expect(last()?.sampling.constraint?.after).toBeNull()
  expect(allows(tokyo)).toBe(true)
  expect(allows('It is warm.')).toBe(false)
  expect(allows(callText('get_weather', { town: 'Rome' }))).toBe(false)
  expect(allows(callText('get_stars', {}))).toBe(false)
})

test('a forced function is the only one, is called once, and ends with "stop"', async () => {
  const { helix, last, allows } = await startSaying(`${tokyo}\n${tokyo}`)
  const tool_choice = { type: 'function', function: { name: 'get_weather' } }
  const { choices } = await askBothWays(helix, { tools, tool_choice })
  expect(choices[0]).toMatchObject({ message: { content: null }, finish_reason: 'stop' })
  expect(choices[0]?.message.tool_calls).toEqual([tokyoCall])
  expect(allows(tokyo)).toBe(true)
  expect(allows(now)).toBe(false)
  expect(last()?.conversation.tools).toHaveLength(2)
})

test('allowed_tools: the model sees all tools and may call only these', async () => {
  const { helix, last, allows } = await startSaying(now)
  const allowed_tools = { mode: 'required', tools: [{ type: 'function', function: { name: 'get_time' } }] }
  const { choices } = await askBothWays(helix, { tools, tool_choice: { type: 'allowed_tools', allowed_tools } })
  expect(choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } })
  expect(last()?.conversation.tools).toHaveLength(2)
  expect(allows(now)).toBe(true)
  expect(allows(tokyo)).toBe(false)
  const auto = { type: 'allowed_tools', allowed_tools: { ...allowed_tools, mode: 'auto' } }
  await askBothWays(helix, { tools, tool_choice: auto })
  expect(last()?.sampling.constraint?.after).toBe('<tool_call>')
})

test('none: what looks like a call is text, and the model is not constrained to calls', async () => {
  const { helix, last } = await startSaying(tokyo)
  const { choices } = await askBothWays(helix, { tools, tool_choice: 'none' })
  expect(choices[0]).toMatchObject({ message: { content: tokyo }, finish_reason: 'stop' })
  expect(choices[0]?.message).not.toHaveProperty('tool_calls')
  expect(last()?.sampling.constraint).toBeNull()
})

test('an answer that reaches its limit inside a call is truncated, with the part of the call so far', async () => {
  const { helix } = await startSaying(tokyo)
  const { choices, usage } = await askBothWays(helix, { tools, max_completion_tokens: 6 })
  const [choice] = choices
  expect(choice?.finish_reason).toBe('length')
  expect(choice?.message.tool_calls).toMatchObject([{ function: { name: 'get_weather' } }])
  expect('{"city":"東京"}'.startsWith(choice?.message.tool_calls?.[0]?.function.arguments ?? '-')).toBe(true)
  expect(usage.completion_tokens).toBe(6)
})

test('an answer that reaches its limit before the name of a call is known has no call', async () => {
  const { helix } = await startSaying(tokyo)
  const { choices } = await askBothWays(helix, { tools, max_completion_tokens: 2 })
  expect(choices[0]).toMatchObject({ finish_reason: 'length', message: { content: '' } })
  expect(choices[0]?.message).not.toHaveProperty('tool_calls')
})

test('a stop sequence within a call is part of it, and one after the call ends the answer', async () => {
  const { helix } = await startSaying(`${tokyo}\nThat was it. And more.`)
  const { choices } = await askBothWays(helix, { tools, stop: ['city', '東', '. And'] })
  expect(choices[0]).toMatchObject({
    message: { content: '\nThat was it', tool_calls: [tokyoCall] },
    finish_reason: 'tool_calls',
  })
})

test('arguments that contain the tags of a call are unchanged', async () => {
  const args = { city: '</tool_call> "}\\ <tool_call>{', list: [{ '}': ']' }] }
  const { helix } = await startSaying(callText('get_weather', args))
  const { choices } = await askBothWays(helix, { tools })
  expect(choices[0]?.message.tool_calls).toHaveLength(1)
  expect(JSON.parse(choices[0]?.message.tool_calls?.[0]?.function.arguments ?? '')).toEqual(args)
})

test('strict: a schema outside the official subset is accepted, or refused if the client wants official rules', async () => {
  const { helix } = await startSaying(tokyo)
  const open = { type: 'object', properties: { city: { type: 'string' } } }
  const asked = (strict: boolean | null) => ({
    tools: [{ type: 'function', function: { name: 'f', parameters: open, strict } }],
  })
  const refused = await helix.chat(asked(true), official(helix))
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({
    error: { param: 'tools[0].function.parameters', code: 'invalid_function_parameters' },
  })
  expect((await helix.chat(asked(true))).status).toBe(200)
  expect((await helix.chat(asked(false))).status).toBe(200)
  expect((await helix.chat(asked(null))).status).toBe(200)
  expect((await helix.chat({ tools: [{ ...weather, function: { ...weather.function, strict: true } }] })).status).toBe(
    200,
  )
})

test('calls and their results reach the engine as they were sent', async () => {
  const { helix, last } = await startSaying('It is warm.')
  const tool_calls = [
    { id: 'call_a', type: 'function', function: { name: 'get_weather', arguments: '{"city": "東京"}' } },
    { id: 'call_b', type: 'function', function: { name: 'get_time', arguments: 'not JSON' } },
  ]
  const messages = [
    { role: 'user', content: 'Weather and time?' },
    { role: 'assistant', content: null, tool_calls },
    { role: 'tool', tool_call_id: 'call_b', content: [{ type: 'text', text: '12:00' }] },
    { role: 'tool', tool_call_id: 'call_a', content: '30 °C' },
  ]
  const { choices } = await askBothWays(helix, { tools, messages })
  expect(choices[0]?.message.content).toBe('It is warm.')
  expect(last()?.conversation.messages).toEqual([
    { role: 'user', content: 'Weather and time?' },
    {
      role: 'assistant',
      content: '',
      toolCalls: [
        { id: 'call_a', name: 'get_weather', arguments: '{"city": "東京"}' },
        { id: 'call_b', name: 'get_time', arguments: 'not JSON' },
      ],
    },
    { role: 'tool', content: '12:00', toolCallId: 'call_b' },
    { role: 'tool', content: '30 °C', toolCallId: 'call_a' },
  ])
})

test('an answer with calls can be sent back unchanged', async () => {
  const { helix, last } = await startSaying(`Let me look.\n${tokyo}`)
  const { choices } = await askBothWays(helix, { tools })
  const message = choices[0]?.message
  const [call] = message?.tool_calls ?? []
  const messages = [
    { role: 'user', content: 'Weather?' },
    message,
    { role: 'tool', tool_call_id: call?.id, content: '30 °C' },
  ]
  await askBothWays(helix, { tools, messages })
  expect(last()?.conversation.messages[1]).toEqual({
    role: 'assistant',
    content: 'Let me look.',
    toolCalls: [{ id: call?.id, name: 'get_weather', arguments: '{"city":"東京"}' }],
  })
})

test('with tools and a response format the model calls a tool or follows the format', async () => {
  const { helix, last, allows } = await startSaying('{"a":1}')
  const schema = {
    type: 'object',
    properties: { a: { type: 'integer' } },
    required: ['a'],
    additionalProperties: false,
  }
  const response_format = { type: 'json_schema', json_schema: { name: 'a', strict: true, schema } }
  const { choices } = await askBothWays(helix, { tools, response_format })
  expect(choices[0]?.message.content).toBe('{"a":1}')
  expect(last()?.sampling.constraint?.after).toBeNull()
  expect(allows('{"a":1}')).toBe(true)
  expect(allows(tokyo)).toBe(true)
  expect(allows('Hello')).toBe(false)
})
