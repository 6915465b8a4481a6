import { expect, test } from 'vitest'
import type { Conversation } from '../../src/engine/contract.ts'
import { askBothWays } from '../harness/ask-both-ways.ts'
import { callText } from '../harness/call-text.ts'
import { readChunks } from '../harness/read-events.ts'
import { startHelix } from '../harness/start-helix.ts'

/** `functions` and `function_call`, the older spelling of tools, which some clients still speak. */
const functions = [
  { name: 'get_weather', description: 'The weather.', parameters: { type: 'object', properties: { city: {} } } },
  { name: 'get_time' },
]
const weather = callText('get_weather', { city: 'Rome' })
const start = async (text: string) => {
  const seen: Conversation[] = []
  const helix = await startHelix({
    answer(_, __, conversation) {
      seen.push(conversation)
      return text.match(/.{1,9}/gsu) ?? []
    },
  })
  return { helix, seen }
}

test('a call is message.function_call, with finish_reason function_call and no tool_calls', async () => {
  const { helix, seen } = await start(`${weather}\n${weather}`)
  const { choices } = await askBothWays(helix, { functions })
  expect(choices).toEqual([
    {
      index: 0,
      message: {
        role: 'assistant',
        content: null,
        refusal: null,
        function_call: { name: 'get_weather', arguments: '{"city":"Rome"}' },
      },
      logprobs: null,
      finish_reason: 'function_call',
    },
  ])
  expect(seen[0]?.tools.map(({ name }) => name)).toEqual(['get_weather', 'get_time'])
})

test('in a stream the name comes once, then pieces of the arguments, without index and id', async () => {
  const { helix } = await start(weather)
  const chunks = await readChunks(await helix.chat({ functions, stream: true }))
  const [role, name, ...rest] = chunks.map(({ choices }) => choices[0]?.delta)
  expect(role).toEqual({ role: 'assistant', content: null, refusal: null })
  expect(name).toEqual({ function_call: { name: 'get_weather', arguments: '' } })
  expect(rest.pop()).toEqual({})
  expect(rest.length).toBeGreaterThan(1)
  for (const delta of rest) expect(delta).toEqual({ function_call: { arguments: expect.any(String) } })
  expect(JSON.stringify(chunks)).not.toContain('tool_calls')
})

test('a forced function ends with "stop"; with none the answer is text', async () => {
  const { helix } = await start(weather)
  const named = await askBothWays(helix, { functions, function_call: { name: 'get_weather' } })
  expect(named.choices[0]).toMatchObject({
    finish_reason: 'stop',
    message: { content: null, function_call: { name: 'get_weather' } },
  })
  const none = await askBothWays(helix, { functions, function_call: 'none' })
  expect(none.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: weather } })
  expect(none.choices[0]?.message).not.toHaveProperty('function_call')
})

test('a call and its result reach the engine as those of a tool', async () => {
  const { helix, seen } = await start('Warm.')
  const messages = [
    { role: 'user', content: 'Weather?' },
    { role: 'assistant', content: null, function_call: { name: 'get_weather', arguments: '{}' } },
    { role: 'function', name: 'get_weather', content: '30 °C' },
  ]
  await askBothWays(helix, { functions, messages })
  const [, call, result] = seen[0]?.messages ?? []
  expect(call).toMatchObject({ role: 'assistant', toolCalls: [{ name: 'get_weather', arguments: '{}' }] })
  expect(result).toMatchObject({ role: 'tool', content: '30 °C', name: 'get_weather' })
  expect(result?.toolCallId).toBe(call?.toolCalls?.[0]?.id)
})
