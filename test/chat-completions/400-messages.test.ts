import { beforeAll, describe, expect, test } from 'vitest'
import * as refusal from '../harness/expect-refusal.ts'
import { expectRefusal, type Row } from '../harness/expect-refusal.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ config: { strictRequests: true } })
  return helix.close
})

const { coded, emptyArray, longString, missing, notAmong, unknown, unsupported, unsupportedValue, wrongType } = refusal
const user = { role: 'user', content: 'Hi' }
const says = (content: unknown, role = 'user') => ({ messages: [user, { role, content }] })
const part = (value: unknown, role = 'user') => says([{ type: 'text', text: 'a' }, value], role)
const content = 'messages[1].content'
const textOrParts = 'one of a string or array of objects'
const roles = "'developer', 'system', 'user', 'assistant', 'tool', and 'function'"

const rows: Row[] = [
  ['messages missing', { messages: undefined }, missing('messages')],
  ['messages empty', { messages: [] }, emptyArray('messages')],
  ['messages null', { messages: null }, wrongType('messages', 'an array of objects', 'null')],
  ['messages a string', { messages: 'Hi' }, wrongType('messages', 'an array of objects', 'a string')],
  ['messages an object', { messages: user }, wrongType('messages', 'an array of objects', 'an object')],
  ['messages of numbers', { messages: [1] }, wrongType('messages[0]', 'an object', 'an integer')],
  ['messages of arrays', { messages: [[]] }, wrongType('messages[0]', 'an object', 'an empty array')],
  ['messages of nulls', { messages: [null] }, wrongType('messages[0]', 'an object', 'null')],

  ['a message without role', { messages: [user, { content: 'a' }] }, missing('messages[1].role')],
  ['role 123', says('a', asRole(123)), wrongType('messages[1].role', 'a string', 'an integer')],
  ['role null', says('a', asRole(null)), wrongType('messages[1].role', 'a string', 'null')],
  ['role robot', says('a', 'robot'), notAmong('messages[1].role', 'robot', roles)],
  ['role __proto__', says('a', '__proto__'), notAmong('messages[1].role', '__proto__', roles)],

  ['content without parts', says([]), emptyArray(content)],
  ['a part that is a string', part('b'), wrongType(`${content}[1]`, 'an object', 'a string')],
  ['a part without type', part({ text: 'b' }), missing(`${content}[1].type`)],
  ['a part of type 1', part({ type: 1 }), wrongType(`${content}[1].type`, 'a string', 'an integer')],
  [
    'a part of an unknown type',
    part({ type: 'video' }),
    notAmong(`${content}[1].type`, 'video', "'text', 'image_url', 'input_audio', and 'file'"),
  ],
  [
    'a refusal of the user',
    part({ type: 'refusal', refusal: 'no' }),
    coded(`${content}[1].type`, 'invalid_value', /refusal/),
  ],
  [
    'an image of the assistant',
    part({ type: 'image_url', image_url: { url: 'x' } }, 'assistant'),
    notAmong(`${content}[1].type`, 'image_url', "'text' and 'refusal'"),
  ],
  [
    'a refusal beside a text',
    part({ type: 'refusal', refusal: 'no' }, 'assistant'),
    coded(`${content}[1]`, 'invalid_value', `Invalid value for '${content}[1]': a refusal must be the only part.`),
  ],
  ['a text part without text', part({ type: 'text' }), missing(`${content}[1].text`)],
  ['a text part of null', part({ type: 'text', text: null }), wrongType(`${content}[1].text`, 'a string', 'null')],
  ['an unknown key in a part', part({ type: 'text', text: 'b', x: 1 }), unknown(`${content}[1].x`)],
  [
    'a cache breakpoint of another mode',
    part({ type: 'text', text: 'b', prompt_cache_breakpoint: { mode: 'implicit' } }),
    notAmong(`${content}[1].prompt_cache_breakpoint.mode`, 'implicit', "'explicit'"),
  ],

  ['a message without content', { messages: [user, { role: 'user' }] }, missing(content)],
  ['content null', says(null), wrongType(content, textOrParts, 'null')],
  ['content a number', says(1.5), wrongType(content, textOrParts, 'a decimal')],
  ['content an object', says({ type: 'text', text: 'a' }), wrongType(content, textOrParts, 'an object')],
  ['content a boolean', says(true, 'system'), wrongType(content, textOrParts, 'a boolean')],
  [
    'an assistant with content null and no calls',
    says(null, 'assistant'),
    coded(
      content,
      'invalid_value',
      `Invalid value for '${content}': expected a string or an array of parts, but got null.`,
    ),
  ],
  ['an assistant without content and calls', { messages: [user, { role: 'assistant' }] }, missing(content)],

  ['an unknown key', { messages: [{ ...user, x: 1 }] }, unknown('messages[0].x')],
  ['calls of the user', { messages: [{ ...user, tool_calls: [] }] }, unsupported('messages[0].tool_calls')],
  ['a tool_call_id of the user', { messages: [{ ...user, tool_call_id: 'a' }] }, unknown('messages[0].tool_call_id')],
  ['name a number', { messages: [{ ...user, name: 1 }] }, wrongType('messages[0].name', 'a string', 'an integer')],
  ['a name too long', { messages: [{ ...user, name: 'n'.repeat(65) }] }, longString('messages[0].name', 64)],
  [
    'audio of the assistant',
    { messages: [{ role: 'assistant', content: 'a', audio: { id: 'x' } }] },
    unsupported('messages[0].audio'),
  ],

  ...[
    { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,!!' } },
    { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
    { type: 'file', file: { file_id: 'file-1' } },
  ].map(
    (value): Row => [`a part of type ${value.type}`, part(value), unsupportedValue(`${content}[1].type`, value.type)],
  ),
]
test.each(rows)('refused: %s', (_, body, expected) => expectRefusal(helix, body, expected))

/** What the types of a role do not allow. */
function asRole(value: unknown): string {
  return value as string
}

describe('accepted', () => {
  const parts = [
    { type: 'text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } },
    { type: 'text', text: 'b' },
  ]
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{' } }
  test.each<[string, unknown[]]>([
    [
      'parts for every role that speaks',
      ['developer', 'system', 'user', 'assistant'].map((role) => ({ role, content: parts })),
    ],
    [
      'parts of a tool',
      [
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: parts },
      ],
    ],
    ['a refusal as the only part', [{ role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] }]],
    [
      'content null beside calls',
      [
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: '' },
      ],
    ],
    ['content null beside a refusal', [{ role: 'assistant', content: null, refusal: 'no' }]],
    [
      'a system message anywhere, the last from the assistant',
      [user, { role: 'system', content: 'a' }, { role: 'assistant', content: 'b' }],
    ],
    ['the same role several times', [user, user, { role: 'system', content: 'a' }, { role: 'system', content: 'b' }]],
    [
      'an answer as clients send it back',
      [
        {
          role: 'assistant',
          content: 'a',
          refusal: null,
          audio: null,
          function_call: null,
          tool_calls: null,
          annotations: [],
        },
      ],
    ],
  ])('%s', async (_, messages) => {
    expect((await helix.chat({ messages })).status).toBe(200)
  })

  test('the developer role is the system role, and parts are joined in order', async () => {
    const heard: unknown[] = []
    const own = await openHelix({
      answer: (messages) => {
        heard.push(...messages)
        return ['ok']
      },
    })
    try {
      await own.chat({ messages: [{ role: 'developer', content: parts }] })
    } finally {
      await own.close()
    }
    expect(heard).toEqual([{ role: 'system', content: 'a\nb' }])
  })

  test('fields that clients and other providers add to a message are not part of the prompt', async () => {
    const heard: unknown[] = []
    const own = await openHelix({
      answer: (messages) => {
        heard.push(...messages)
        return ['ok']
      },
    })
    const noted = { sender: 'Agent A', reasoning: 'r', thinking_blocks: [{}], cache_control: {}, annotations: [{}] }
    const asked = { role: 'user', content: 'Hi', ...noted, reasoning_content: 'r', refusal: null, tool_calls: null }
    const answered = { role: 'assistant', content: null, tool_calls: [call], reasoning_content: 'kept', ...noted }
    const result = { role: 'tool', content: '1', tool_call_id: 'c', tool_name: 'f', ...noted }
    try {
      expect((await own.chat({ messages: [asked, answered, result] })).status).toBe(200)
    } finally {
      await own.close()
    }
    expect(heard).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: '', reasoning: 'kept', toolCalls: [expect.objectContaining({ id: 'c' })] },
      { role: 'tool', content: '1', toolCallId: 'c' },
    ])
  })
})
