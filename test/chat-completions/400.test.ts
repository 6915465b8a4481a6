import { beforeAll, describe, expect, test } from 'vitest'
import {
  coded,
  type Expected,
  emptyArray,
  expectRefusal,
  type Row,
  unsupported,
  wrongType,
} from '../harness/expect-refusal.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ engine: { model: { contextTokens: 100 } } })
  return helix.close
})
const refuses = (body: Record<string, unknown>, expected: Expected): Promise<void> =>
  expectRefusal(helix, body, expected)

describe('fields', () => {
  const above = (param: string, kind: string, maximum: number, value: number) =>
    coded(
      param,
      `${kind}_above_max_value`,
      `Invalid '${param}': ${kind} above maximum value. Expected a value <= ${maximum}, but got ${value} instead.`,
    )
  const below = (param: string, kind: string, minimum: number, value: number) =>
    coded(
      param,
      `${kind}_below_min_value`,
      `Invalid '${param}': ${kind} below minimum value. Expected a value >= ${minimum}, but got ${value} instead.`,
    )
  const textOrTexts = 'one of a string or array of strings'
  const emptyString = (param: string) => coded(param, 'empty_string', /^Invalid '.*': empty string/)
  const rows: Row[] = [
    ['model missing', { model: undefined }, coded(null, null, 'you must provide a model parameter')],
    ['model null', { model: null }, wrongType('model', 'a string', 'null')],
    ['model a number', { model: 5 }, wrongType('model', 'a string', 'an integer')],
    ['an unknown field', { foo: 1 }, coded(null, null, 'Unrecognized request argument supplied: foo')],
    [
      'several unknown fields',
      { foo: 1, top_k: 5, constructor: {} },
      coded(null, null, 'Unrecognized request arguments supplied: foo, top_k, constructor'),
    ],

    ['max_tokens 0', { max_tokens: 0 }, below('max_tokens', 'integer', 1, 0)],
    ['max_tokens negative', { max_tokens: -1 }, below('max_tokens', 'integer', 1, -1)],
    ['max_tokens 1.5', { max_tokens: 1.5 }, wrongType('max_tokens', 'an integer', 'a decimal')],
    ['max_tokens "1"', { max_tokens: '1' }, wrongType('max_tokens', 'an integer', 'a string')],
    ['max_completion_tokens 0', { max_completion_tokens: 0 }, below('max_completion_tokens', 'integer', 1, 0)],
    ['max_tokens without end', { max_tokens: 1e300 }, coded('max_tokens', 'integer_above_max_value', /above maximum/)],
    [
      'both token limits',
      { max_tokens: 1, max_completion_tokens: 1 },
      coded('max_tokens', 'invalid_value', "Set only one of 'max_tokens' and 'max_completion_tokens'."),
    ],

    ['temperature 2.0001', { temperature: 2.0001 }, above('temperature', 'decimal', 2, 2.0001)],
    ['temperature -0.1', { temperature: -0.1 }, below('temperature', 'decimal', 0, -0.1)],
    ['temperature "1"', { temperature: '1' }, wrongType('temperature', 'a decimal', 'a string')],
    ['top_p 1.1', { top_p: 1.1 }, above('top_p', 'decimal', 1, 1.1)],
    ['top_p -1', { top_p: -1 }, below('top_p', 'decimal', 0, -1)],
    ['seed 1.5', { seed: 1.5 }, wrongType('seed', 'an integer', 'a decimal')],
    ['seed of 65 bits', { seed: 2 ** 64 }, coded('seed', 'integer_above_max_value', /above maximum/)],
    ['seed below 64 bits', { seed: -(2 ** 64) }, coded('seed', 'integer_below_min_value', /below minimum/)],

    ['stop ""', { stop: '' }, emptyString('stop')],
    ['stop [""]', { stop: ['a', ''] }, emptyString('stop[1]')],
    ['stop []', { stop: [] }, emptyArray('stop')],
    ['stop 1', { stop: 1 }, wrongType('stop', textOrTexts, 'an integer')],
    ['stop {}', { stop: {} }, wrongType('stop', textOrTexts, 'an object')],
    ['stop [1]', { stop: [1] }, wrongType('stop[0]', 'a string', 'an integer')],
    [
      'stop with five texts',
      { stop: ['a', 'b', 'c', 'd', 'e'] },
      coded('stop', 'array_above_max_length', /maximum length 4, but got an array with length 5 instead\.$/),
    ],

    ['stream "true"', { stream: 'true' }, wrongType('stream', 'a boolean', 'a string')],
    ['stream 1', { stream: 1 }, wrongType('stream', 'a boolean', 'an integer')],
    [
      'stream_options a list',
      { stream: true, stream_options: [] },
      wrongType('stream_options', 'an object', 'an empty array'),
    ],
    [
      'stream_options without stream',
      { stream: false, stream_options: { include_usage: true } },
      coded('stream_options', null, "The 'stream_options' parameter is only allowed when 'stream' is enabled."),
    ],
    [
      'include_usage null',
      { stream: true, stream_options: { include_usage: null } },
      wrongType('stream_options.include_usage', 'a boolean', 'null'),
    ],
    [
      'include_obfuscation true',
      { stream: true, stream_options: { include_obfuscation: true } },
      unsupported('stream_options.include_obfuscation'),
    ],
    [
      'an unknown stream option',
      { stream: true, stream_options: { continuous_usage_stats: true } },
      coded('stream_options.continuous_usage_stats', 'unknown_parameter', /continuous_usage_stats/),
    ],
  ]
  test.each(rows)('%s', (_, body, expected) => refuses(body, expected))
})

const tool = { type: 'function', function: { name: 'f', parameters: {} } }
test.each<[string, unknown[]]>([
  ['audio', [{ voice: 'alloy', format: 'wav' }]],
  ['frequency_penalty', [0.5, 2.1, '0']],
  ['presence_penalty', [-0.5, -2.1]],
  ['function_call', ['auto', { name: 'f' }, null]],
  ['functions', [[], [{ name: 'f' }]]],
  ['logit_bias', [{ '1': 5 }, { x: 101 }]],
  ['logprobs', [true, 'false']],
  ['top_logprobs', [0, 5, 21]],
  ['metadata', [{ a: 'b' }, { a: 1 }, Object.fromEntries(Array.from({ length: 17 }, (_, n) => [n, 'x']))]],
  ['modalities', [['text', 'audio'], []]],
  ['moderation', [{ model: 'm' }]],
  ['n', [0, 2, 129, 1.5, '1']],
  ['parallel_tool_calls', [false, null]],
  ['prediction', [{ type: 'content', content: 'a' }]],
  ['prompt_cache_key', ['k']],
  ['prompt_cache_options', [{ mode: 'explicit' }, null]],
  ['prompt_cache_retention', ['24h']],
  ['reasoning_effort', ['high', 'none']],
  [
    'response_format',
    [{ type: 'json_object' }, { type: 'json_schema', json_schema: { name: 'n' } }, { type: 'xml' }, null],
  ],
  ['safety_identifier', ['u']],
  ['service_tier', ['flex', 'priority']],
  ['store', [true]],
  ['tool_choice', ['auto', 'required', { type: 'function', function: { name: 'f' } }]],
  [
    'tools',
    [[], [tool], Array.from({ length: 129 }, () => tool), [{ type: 'function', function: { name: 'bad name' } }]],
  ],
  ['user', ['u', null]],
  ['verbosity', ['high']],
  ['web_search_options', [{}]],
])('%s is known but not served: anything but its default is refused by name', async (field, values) => {
  for (const value of values) await refuses({ [field]: value }, unsupported(field))
})

describe('the context', () => {
  test('a prompt that fills it leaves no room for an answer', () =>
    refuses(
      { messages: [{ role: 'user', content: 'x'.repeat(4 * 99) }] },
      coded(
        'messages',
        'context_length_exceeded',
        "This model's maximum context length is 100 tokens. However, your messages resulted in 100 tokens. Please reduce the length of the messages.",
      ),
    ))

  test.each(['max_tokens', 'max_completion_tokens'])('%s must fit beside the prompt', async (field) => {
    await refuses(
      { [field]: 99 },
      coded(
        'messages',
        'context_length_exceeded',
        "This model's maximum context length is 100 tokens. However, you requested 101 tokens (2 in the messages, 99 in the completion). Please reduce the length of the messages or completion.",
      ),
    )
    expect((await helix.chat({ [field]: 98 })).status).toBe(200)
  })
})
