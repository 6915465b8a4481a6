import { expect, test } from 'vitest'
import type { Attachment } from './attachments.ts'
import { buildRequest } from './build-request.ts'
import { newAnswer, type Turn } from './turns.ts'

const sent = (text: string): Turn => ({ kind: 'sent', id: text, text })
const conversation = { model: 'helix-v1', system: '', turns: [sent('Hi')], options: {} }

test('a first message goes out alone, with the stream and its count asked for', () => {
  expect(buildRequest(conversation)).toEqual({
    model: 'helix-v1',
    messages: [{ role: 'user', content: 'Hi' }],
    stream: true,
    stream_options: { include_usage: true },
  })
})

test('a system prompt stands first, an empty one is left out', () => {
  expect(buildRequest({ ...conversation, system: 'Be short.' }).messages[0]).toEqual({
    role: 'system',
    content: 'Be short.',
  })
  expect(buildRequest({ ...conversation, system: '  ' }).messages).toHaveLength(1)
})

test('an answer that never came is not sent along', () => {
  expect(
    buildRequest({
      ...conversation,
      turns: [sent('Hi'), newAnswer({ model: 'helix-v1', isJson: false }), sent('Still there?')],
    }).messages,
  ).toEqual([
    { role: 'user', content: 'Hi' },
    { role: 'user', content: 'Still there?' },
  ])
})

test('the result of a tool follows the call that asked for it', () => {
  const call = { id: 'call_1', name: 'get_weather', arguments: '{"city":"Kyoto"}', result: 'clear' }
  const { messages } = buildRequest({
    ...conversation,
    turns: [sent('Hi'), { ...newAnswer({ model: 'helix-v1', isJson: false }), calls: [call] }],
  })
  expect(messages.slice(1)).toEqual([
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Kyoto"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'clear' },
  ])
})

test('text files stand before the message; images go beside it unless they were not kept', () => {
  const withFiles = (text: string, attachments: readonly Attachment[]): Turn => ({
    kind: 'sent',
    id: 't',
    text,
    attachments,
  })
  const content = (turn: Turn) =>
    buildRequest({ model: 'm', system: '', turns: [turn], options: {} }).messages.map((message) => message.content)
  const image = (data: string | null): Attachment => ({
    kind: 'image',
    name: 'a.png',
    type: 'image/png',
    bytes: 3,
    data,
  })
  const file: Attachment = { kind: 'text', name: 'a.txt', text: 'inside' }
  expect(content(withFiles('What?', [file, image(null)]))).toEqual(['a.txt:\n\ninside\n\nWhat?'])
  expect(content(withFiles('What?', [image('AAAA')]))).toEqual([
    [
      { type: 'text', text: 'What?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ],
  ])
})
