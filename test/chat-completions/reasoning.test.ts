import { expect, test } from 'vitest'
import type { Conversation, EngineFeature } from '../../src/engine/contract.ts'
import { askBothWays } from '../harness/ask-both-ways.ts'
import { callText } from '../harness/call-text.ts'
import { readChunks } from '../harness/read-events.ts'
import { startHelix } from '../harness/start-helix.ts'

const features = new Set<EngineFeature>(['tools', 'grammar', 'logprobs', 'token_ids', 'template', 'reasoning'])
const start = async (tokens: string[]) => {
  const seen: Conversation[] = []
  const helix = await startHelix({
    engine: { model: { features } },
    answer(_, __, conversation) {
      seen.push(conversation)
      return tokens
    },
  })
  return { helix, seen }
}
const thought = ['<think>', '\nLet', ' me', ' see', '.\n', '</think>', '\n\n']

test('reasoning is separate from content, and its tokens are counted', async () => {
  const { helix } = await start([...thought, 'It is', ' 42.'])
  const { choices, usage } = await askBothWays(helix, {})
  expect(choices[0]).toMatchObject({
    message: { role: 'assistant', content: 'It is 42.', refusal: null, reasoning_content: '\nLet me see.\n' },
    finish_reason: 'stop',
  })
  expect(usage.completion_tokens).toBe(9)
  expect(usage.completion_tokens_details.reasoning_tokens).toBe(4)
})

test('in a stream, reasoning is sent as deltas of its own after the role', async () => {
  const { helix } = await start([...thought, 'It is', ' 42.'])
  const chunks = await readChunks(await helix.chat({ stream: true }))
  expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
    { role: 'assistant', content: '', refusal: null },
    { reasoning_content: '\nLet' },
    { reasoning_content: ' me' },
    { reasoning_content: ' see' },
    { reasoning_content: '.\n' },
    { content: 'It is' },
    { content: ' 42.' },
    {},
  ])
})

test('stop sequences and log probabilities apply only to content', async () => {
  const { helix } = await start([...thought, 'It is', ' 42.', ' see', ' more'])
  const { choices } = await askBothWays(helix, { stop: ' see', logprobs: true })
  expect(choices[0]?.message).toMatchObject({ reasoning_content: '\nLet me see.\n', content: 'It is 42.' })
  expect(choices[0]?.logprobs?.content.map(({ token }) => token)).toEqual(['It is', ' 42.'])
})

test('a model may reason and then call', async () => {
  const { helix } = await start([...thought, callText('f', {})])
  const tools = [{ type: 'function', function: { name: 'f' } }]
  const { choices } = await askBothWays(helix, { tools })
  expect(choices[0]).toMatchObject({
    message: { content: null, reasoning_content: '\nLet me see.\n', tool_calls: [{ function: { name: 'f' } }] },
    finish_reason: 'tool_calls',
  })
})

test('an answer without reasoning has no such field, and one that is cut off in it has no content', async () => {
  const silent = await start(['Hello'])
  expect((await askBothWays(silent.helix, {})).choices[0]?.message).toEqual({
    role: 'assistant',
    content: 'Hello',
    refusal: null,
  })
  const long = await start(thought)
  const { choices } = await askBothWays(long.helix, { max_completion_tokens: 3 })
  expect(choices[0]).toMatchObject({ finish_reason: 'length', message: { content: '', reasoning_content: '\nLet me' } })
})

test('with a model that does not reason the tags stay text', async () => {
  const helix = await startHelix({ answer: () => ['<think>', 'x', '</think>'] })
  expect((await askBothWays(helix, {})).choices[0]?.message.content).toBe('<think>x</think>')
})

test('the reasoning effort reaches the template, and reasoning can be sent back', async () => {
  const { helix, seen } = await start(['ok'])
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello', reasoning_content: 'A greeting.' },
    { role: 'user', content: 'And?' },
  ]
  await helix.chat({ messages, reasoning_effort: 'high' })
  await helix.chat({ reasoning_effort: 'none' })
  expect(seen[0]?.messages[1]).toEqual({ role: 'assistant', content: 'Hello', reasoning: 'A greeting.' })
  expect(seen.map(({ templateVariables }) => templateVariables)).toEqual([
    { reasoning_effort: 'high' },
    { reasoning_effort: 'none', enable_thinking: false },
  ])
})
