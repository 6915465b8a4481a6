import { beforeAll, test } from 'vitest'
import {
  coded,
  type Expected,
  emptyArray,
  expectRefusal,
  missing,
  type Row,
  unsupported,
  wrongType,
} from '../harness/expect-refusal.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})
const refuses = (body: Record<string, unknown>, expected: Expected): Promise<void> =>
  expectRefusal(helix, body, expected)

const user = { role: 'user', content: 'Hi' }
const says = (content: unknown, role = 'user') => ({ messages: [user, { role, content }] })
const part = (value: unknown) => says([{ type: 'text', text: 'a' }, value])
const content = 'messages[1].content'
const roles = "'developer', 'system', 'user', 'assistant', 'tool', and 'function'"
const partTypes = "'text', 'image_url', 'input_audio', 'file', and 'refusal'"
const anObject = ['messages[0]', 'an object'] as const
const textOrParts = 'one of a string or array of objects'
const noTools =
  "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'."
const rows: Row[] = [
  ['missing', { messages: undefined }, missing('messages')],
  ['empty', { messages: [] }, emptyArray('messages')],
  ['null', { messages: null }, wrongType('messages', 'an array of objects', 'null')],
  ['a string', { messages: 'Hi' }, wrongType('messages', 'an array of objects', 'a string')],
  ['an object', { messages: user }, wrongType('messages', 'an array of objects', 'an object')],
  ['of numbers', { messages: [1] }, wrongType(...anObject, 'an integer')],
  ['of arrays', { messages: [[]] }, wrongType(...anObject, 'an empty array')],
  ['of nulls', { messages: [null] }, wrongType(...anObject, 'null')],

  ['without role', { messages: [user, { content: 'a' }] }, missing('messages[1].role')],
  ['role a number', { messages: [{ role: 1, content: 'a' }] }, wrongType('messages[0].role', 'a string', 'an integer')],
  [
    'role robot',
    says('a', 'robot'),
    coded('messages[1].role', 'invalid_value', `Invalid value: 'robot'. Supported values are: ${roles}.`),
  ],
  [
    'role function',
    says('a', 'function'),
    coded(
      'messages[1].role',
      'unsupported_value',
      "Unsupported value: 'messages[1].role' does not support 'function' with this model.",
    ),
  ],
  ['role tool', says('a', 'tool'), coded('messages.[1].role', null, noTools)],

  ['without content', { messages: [user, { role: 'user' }] }, missing(content)],
  ['content null', says(null), wrongType(content, textOrParts, 'null')],
  ['content a number', says(1.5), wrongType(content, textOrParts, 'a decimal')],
  ['content an object', says({ type: 'text', text: 'a' }), wrongType(content, textOrParts, 'an object')],
  ['content a boolean', says(true, 'system'), wrongType(content, textOrParts, 'a boolean')],
  ['no parts', says([]), emptyArray(content)],
  [
    'an assistant without content',
    says(null, 'assistant'),
    coded(
      content,
      'invalid_value',
      `Invalid value for '${content}': expected a string or an array of parts, but got null.`,
    ),
  ],
  [
    'an unknown key',
    { messages: [{ ...user, x: 1 }] },
    coded('messages[0].x', 'unknown_parameter', "Unknown parameter: 'messages[0].x'."),
  ],
  ['name a number', { messages: [{ ...user, name: 1 }] }, wrongType('messages[0].name', 'a string', 'an integer')],
  [
    'name too long',
    { messages: [{ ...user, name: 'n'.repeat(65) }] },
    coded(
      'messages[0].name',
      'string_above_max_length',
      /maximum length 64, but got a string with length 65 instead\.$/,
    ),
  ],

  ['a part that is a string', part('b'), wrongType(`${content}[1]`, 'an object', 'a string')],
  ['a part without type', part({ text: 'b' }), missing(`${content}[1].type`)],
  ['a part of type 1', part({ type: 1 }), wrongType(`${content}[1].type`, 'a string', 'an integer')],
  [
    'a part of an unknown type',
    part({ type: 'video' }),
    coded(`${content}[1].type`, 'invalid_value', `Invalid value: 'video'. Supported values are: ${partTypes}.`),
  ],
  ['a text part without text', part({ type: 'text' }), missing(`${content}[1].text`)],
  ['a text part of null', part({ type: 'text', text: null }), wrongType(`${content}[1].text`, 'a string', 'null')],
  [
    'an unknown key in a part',
    part({ type: 'text', text: 'b', x: 1 }),
    coded(`${content}[1].x`, 'unknown_parameter', /x/),
  ],
  [
    'a cache breakpoint',
    part({ type: 'text', text: 'b', prompt_cache_breakpoint: { mode: 'explicit' } }),
    unsupported(`${content}[1].prompt_cache_breakpoint`),
  ],
  ...['image_url', 'input_audio', 'file', 'refusal'].map(
    (type): Row => [
      `a part of type ${type}`,
      part({ type, [type]: { url: 'data:image/png;base64,!!' } }),
      coded(
        `${content}[1].type`,
        'unsupported_value',
        `Unsupported value: '${content}[1].type' does not support '${type}' with this model.`,
      ),
    ],
  ),
]
test.each(rows)('%s', (_, body, expected) => refuses(body, expected))

const toolCall = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
test.each([
  ['tool_calls', { content: null, tool_calls: [toolCall] }],
  ['tool_calls', { tool_calls: [toolCall] }],
  ['tool_calls', { content: 'a', tool_calls: [] }],
  ['function_call', { content: null, function_call: { name: 'f', arguments: '{}' } }],
  ['audio', { content: 'a', audio: { id: 'x' } }],
  ['refusal', { content: 'a', refusal: 'no' }],
])('an assistant message with %s is told that this is what is not served', (field, message) =>
  refuses({ messages: [user, { role: 'assistant', ...message }] }, unsupported(`messages[1].${field}`)),
)
