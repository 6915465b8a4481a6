import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSampling, talk } from '../../../../test/harness/engine-request.ts'
import { pngUrl } from '../../../../test/harness/media.ts'
import { parseJsonText } from '../../../base/parse-json-text.ts'
import type { AnswerOptions, ChatMessage, ContentPart, Conversation, Sampling } from '../../contract.ts'
import { nativeFromChat } from './native-from-chat.ts'
import { responsesBody } from './responses-body.ts'

const options = {
  ...{ model: 'big', fields: new Set(['reasoning_effort']), stream: false, tenant: 'usr_1', scope: 'org_1' },
  sendsReasoning: false,
}
const bodyOf = (conversation: Conversation, sampling: Partial<Sampling> = {}): Record<string, unknown> => {
  const all = { ...openSampling, ...sampling }
  const body = responsesBody(nativeFromChat(conversation, all), all, options)
  if (typeof body !== 'string') throw new Error('it is short')
  return { ...Object(parseJsonText(body)) }
}
const answer: AnswerOptions = { stream: false, calling: null, format: null, reasoningEffort: null }
const look = { name: 'look', description: 'Looks.', parameters: '{"type":"object","properties":{"at":{}}}' }
const calling = { callable: ['look'], mode: 'auto', parallel: true } as const

test('a chat is written as items, and everything else that it asks for as fields of the Responses API', () => {
  const origin = { path: 'messages[1]', type: 'image_url', error: null }
  const conversation = talk(
    [
      { role: 'system', content: 'Be brief.' },
      {
        ...{ role: 'user', content: 'See', name: 'anna' },
        parts: [
          { type: 'text', text: 'See' },
          { type: 'image', url: pngUrl, bytes: 9, origin },
        ],
      },
      {
        role: 'assistant',
        content: '',
        reasoning: 'Hm.',
        toolCalls: [{ id: 'call_1', name: 'look', arguments: '{}' }],
      },
      { role: 'tool', toolCallId: 'call_1', content: 'sky' },
      { role: 'assistant', content: 'The sky.' },
      { role: 'user', content: 'So?' },
    ],
    {
      tools: [look, { name: 'hidden', description: null, parameters: null }],
      answer: {
        ...answer,
        calling: { ...calling, parallel: false },
        format: { type: 'schema', name: 'reply', schema: '{"type":"object"}', strict: true },
        reasoningEffort: 'high',
      },
    },
  )
  const sampling = { maxTokens: 5, temperature: 0.5, topP: 0.9, topLogprobs: 2 }
  expect(bodyOf(conversation, sampling)).toEqual({
    ...{ model: 'big', store: false, max_output_tokens: 16, temperature: 0.5, top_p: 0.9, top_logprobs: 2 },
    input: [
      { type: 'message', role: 'system', content: 'Be brief.' },
      {
        ...{ type: 'message', role: 'user' },
        content: [
          { type: 'input_text', text: 'See' },
          { type: 'input_image', image_url: pngUrl, detail: 'auto' },
        ],
      },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'sky' },
      { type: 'message', role: 'assistant', content: 'The sky.' },
      { type: 'message', role: 'user', content: 'So?' },
    ],
    tools: [
      {
        ...{ type: 'function', name: 'look', description: 'Looks.', strict: false },
        parameters: { type: 'object', properties: { at: {} } },
      },
    ],
    ...{ tool_choice: 'auto', parallel_tool_calls: false, reasoning: { effort: 'high' } },
    text: { format: { type: 'json_schema', name: 'reply', strict: true, schema: { type: 'object' } } },
    include: ['message.output_text.logprobs'],
  })
})

test('only what was asked for is sent', () => {
  expect(bodyOf(talk('Hi'))).toEqual({
    ...{ model: 'big', store: false, input: [{ type: 'message', role: 'user', content: 'Hi' }] },
  })
  const named = { ...calling, mode: 'named' } as const
  expect(bodyOf(talk('Hi', { tools: [{ ...look, parameters: null }], answer: { ...answer, calling: named } }))).toEqual(
    expect.objectContaining({
      tools: [expect.objectContaining({ parameters: { type: 'object', properties: {} } })],
      tool_choice: { type: 'function', name: 'look' },
    }),
  )
  expect(bodyOf(talk('Hi', { answer: { ...answer, format: { type: 'object' } } }), { maxTokens: 900 })).toEqual(
    expect.objectContaining({ text: { format: { type: 'json_object' } }, max_output_tokens: 900 }),
  )
})

const anyText = fc.string({ unit: 'grapheme', maxLength: 20 })
const anyId = fc.string({ minLength: 1, maxLength: 90 })
const origin = { path: 'x', type: 'image_url', error: null }
const anyPart: fc.Arbitrary<ContentPart> = fc.oneof(
  anyText.map((text) => ({ type: 'text' as const, text })),
  fc
    .constantFrom('low', 'high')
    .map((detail) => ({ ...{ type: 'image' as const, url: pngUrl, bytes: 9, detail }, origin })),
)
const anyCall = fc.record({ id: anyId, name: fc.constantFrom('look', 'go'), arguments: anyText })
const anyMessage: fc.Arbitrary<ChatMessage> = fc.oneof(
  fc.record({ role: fc.constantFrom('system' as const, 'user' as const), content: anyText }),
  fc.record({ role: fc.constant('user' as const), content: anyText, parts: fc.array(anyPart, { minLength: 1 }) }),
  fc.record({ role: fc.constant('assistant' as const), content: anyText, toolCalls: fc.array(anyCall) }),
  fc.record({ role: fc.constant('tool' as const), content: anyText, toolCallId: anyId }),
)

test('every text, image, call and result of a chat is in its items, in order', () => {
  const survives = fc.property(fc.array(anyMessage, { maxLength: 6 }), (messages) => {
    const { input } = bodyOf(talk(messages))
    const items = input as Record<string, unknown>[]
    const said = messages.flatMap(({ role, content, parts, toolCalls = [] }) => [
      ...(role === 'tool' || (content === '' && toolCalls.length > 0) ? [] : [[role, parts?.map(shown) ?? content]]),
      ...(role === 'tool' ? [['result', content]] : []),
      ...toolCalls.map((call) => [call.name, call.arguments]),
    ])
    expect(items.map(itemShown)).toEqual(said)
    const ids = messages.flatMap(({ toolCalls = [], toolCallId }) => [...toolCalls.map(({ id }) => id), toolCallId])
    const sent = new Map<unknown, unknown>()
    const known = ids.filter((id) => id !== undefined)
    for (const [index, item] of items.filter(({ call_id: id }) => id !== undefined).entries()) {
      expect(String(item.call_id).length).toBeLessThanOrEqual(64)
      expect(sent.get(known[index]) ?? item.call_id).toBe(item.call_id)
      sent.set(known[index], item.call_id)
    }
    expect(new Set(sent.values()).size).toBe(new Set(known).size)
  })
  fc.assert(survives, { numRuns: 150 })
})

const shown = (part: ContentPart): unknown[] =>
  part.type === 'text' ? ['text', part.text] : [part.type, part.type === 'image' ? part.url : null]
const itemShown = (item: Record<string, unknown>): unknown[] => {
  if (item.type === 'function_call') return [item.name, item.arguments]
  if (item.type === 'function_call_output') return ['result', item.output]
  const { role, content } = item
  if (!Array.isArray(content)) return [role, content]
  return [role, content.map((part) => (part.type === 'input_text' ? ['text', part.text] : ['image', part.image_url]))]
}
