import { beforeAll, describe, expect, test } from 'vitest'
import * as refusal from '../harness/expect-refusal.ts'
import { expectRefusal, type Row } from '../harness/expect-refusal.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ engine: { model: { contextTokens: 500 } }, config: { strictRequests: true } })
  return helix.close
})

const { above, below, coded, emptyArray, emptyString, longArray, longString, notAmong } = refusal
const { unknown, unsupported, unsupportedValue, wrongType } = refusal
const textOrTexts = 'one of a string or array of strings'
const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']))
const notAToken = (id: string) =>
  coded(
    'logit_bias',
    'invalid_value',
    `Invalid key in 'logit_bias': ${id}. Expected the ID of a token in the vocabulary of the model.`,
  )

const rows: Row[] = [
  ['model missing', { model: undefined }, coded(null, null, 'you must provide a model parameter')],
  ['model null', { model: null }, wrongType('model', 'a string', 'null')],
  ['model a number', { model: 5 }, wrongType('model', 'a string', 'an integer')],
  ['an unknown field', { foo: 1 }, coded(null, null, 'Unrecognized request argument supplied: foo')],
  [
    'several unknown fields',
    { foo: 1, best_of: 5, constructor: {} },
    coded(null, null, 'Unrecognized request arguments supplied: foo, best_of, constructor'),
  ],

  ['max_tokens 0', { max_tokens: 0 }, below('max_tokens', 'integer', 1, 0)],
  ['max_tokens negative', { max_tokens: -1 }, below('max_tokens', 'integer', 1, -1)],
  ['max_completion_tokens 0', { max_completion_tokens: 0 }, below('max_completion_tokens', 'integer', 1, 0)],
  [
    'both token limits',
    { max_tokens: 1, max_completion_tokens: 1 },
    coded('max_tokens', 'invalid_value', "Set only one of 'max_tokens' and 'max_completion_tokens'."),
  ],

  ['max_tokens 1.5', { max_tokens: 1.5 }, wrongType('max_tokens', 'an integer', 'a decimal')],
  ['max_tokens "1"', { max_tokens: '1' }, wrongType('max_tokens', 'an integer', 'a string')],
  ['max_tokens without end', { max_tokens: 1e300 }, coded('max_tokens', 'integer_above_max_value', /above maximum/)],
  ['temperature 2.0001', { temperature: 2.0001 }, above('temperature', 'decimal', 2, 2.0001)],
  ['temperature -0.1', { temperature: -0.1 }, below('temperature', 'decimal', 0, -0.1)],
  ['temperature "1"', { temperature: '1' }, wrongType('temperature', 'a decimal', 'a string')],
  ['top_p 1.1', { top_p: 1.1 }, above('top_p', 'decimal', 1, 1.1)],
  ['top_p -1', { top_p: -1 }, below('top_p', 'decimal', 0, -1)],
  ['frequency_penalty 2.1', { frequency_penalty: 2.1 }, above('frequency_penalty', 'decimal', 2, 2.1)],
  ['frequency_penalty -2.1', { frequency_penalty: -2.1 }, below('frequency_penalty', 'decimal', -2, -2.1)],
  ['presence_penalty 2.1', { presence_penalty: 2.1 }, above('presence_penalty', 'decimal', 2, 2.1)],
  ['presence_penalty -2.1', { presence_penalty: -2.1 }, below('presence_penalty', 'decimal', -2, -2.1)],
  ['n 0', { n: 0 }, below('n', 'integer', 1, 0)],
  ['n 129', { n: 129 }, above('n', 'integer', 128, 129)],
  ['n 1.5', { n: 1.5 }, wrongType('n', 'an integer', 'a decimal')],
  ['n "1"', { n: '1' }, wrongType('n', 'an integer', 'a string')],
  ['seed 1.5', { seed: 1.5 }, wrongType('seed', 'an integer', 'a decimal')],
  ['seed of 65 bits', { seed: 2 ** 64 }, coded('seed', 'integer_above_max_value', /above maximum/)],
  ['seed below 64 bits', { seed: -(2 ** 64) }, coded('seed', 'integer_below_min_value', /below minimum/)],

  ['stop ""', { stop: '' }, emptyString('stop')],
  ['stop with an empty text', { stop: ['a', ''] }, emptyString('stop[1]')],
  ['stop []', { stop: [] }, emptyArray('stop')],
  ['stop 1', { stop: 1 }, wrongType('stop', textOrTexts, 'an integer')],
  ['stop {}', { stop: {} }, wrongType('stop', textOrTexts, 'an object')],
  ['stop [1]', { stop: [1] }, wrongType('stop[0]', 'a string', 'an integer')],
  ['stop with five texts', { stop: ['a', 'b', 'c', 'd', 'e'] }, longArray('stop', 4)],

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
    'an unknown stream option',
    { stream: true, stream_options: { include_timings: true } },
    unknown('stream_options.include_timings'),
  ],

  ...['x', '-1', '1.5', '99999999999', '1000'].map(
    (id): Row => [`logit_bias of token ${id}`, { logit_bias: { [id]: 1 } }, notAToken(id)],
  ),
  ['logit_bias 101', { logit_bias: { 5: 101 } }, above('logit_bias.5', 'decimal', 100, 101)],
  ['logit_bias -101', { logit_bias: { 5: -101 } }, below('logit_bias.5', 'decimal', -100, -101)],
  ['logit_bias "1"', { logit_bias: { 5: '1' } }, wrongType('logit_bias.5', 'a decimal', 'a string')],
  ['logit_bias a list', { logit_bias: [1] }, wrongType('logit_bias', 'an object', 'an array')],

  [
    'metadata of 17 pairs',
    { metadata: pairs(17) },
    coded(
      'metadata',
      'object_above_max_properties',
      /at most 16 properties, but got an object with 17 properties instead/,
    ),
  ],
  [
    'a metadata key of 65 characters',
    { metadata: { ['k'.repeat(65)]: 'v' } },
    coded('metadata', 'string_above_max_length', /Expected a key with maximum length 64/),
  ],
  ['a metadata value of 513 characters', { metadata: { a: 'v'.repeat(513) } }, longString('metadata.a', 512)],
  ['a metadata value that is a number', { metadata: { a: 1 } }, wrongType('metadata.a', 'a string', 'an integer')],
  ['metadata a string', { metadata: 'a' }, wrongType('metadata', 'an object', 'a string')],

  ['top_logprobs 21', { logprobs: true, top_logprobs: 21 }, above('top_logprobs', 'integer', 20, 21)],
  ['top_logprobs -1', { logprobs: true, top_logprobs: -1 }, below('top_logprobs', 'integer', 0, -1)],
  ...[{}, { logprobs: false }, { logprobs: null }].map(
    (logprobs): Row => [
      `top_logprobs with ${JSON.stringify(logprobs)}`,
      { ...logprobs, top_logprobs: 0 },
      coded('top_logprobs', 'invalid_value', "'top_logprobs' is only allowed when 'logprobs' is true."),
    ],
  ),
  ['logprobs 5', { logprobs: 5 }, wrongType('logprobs', 'a boolean', 'an integer')],

  ['audio', { audio: { voice: 'alloy', format: 'wav' } }, unsupported('audio')],
  ['moderation', { moderation: { model: 'm' } }, unsupported('moderation')],
  ['web_search_options', { web_search_options: {} }, unsupported('web_search_options')],
  ['modalities with audio', { modalities: ['text', 'audio'] }, unsupportedValue('modalities[1]', 'audio')],
  ['modalities with smell', { modalities: ['smell'] }, notAmong('modalities[0]', 'smell', "'text' and 'audio'")],
  ['modalities []', { modalities: [] }, emptyArray('modalities')],
  [
    'reasoning_effort extreme',
    { reasoning_effort: 'extreme' },
    coded('reasoning_effort', 'invalid_value', /'extreme'/),
  ],
  ['verbosity loud', { verbosity: 'loud' }, notAmong('verbosity', 'loud', "'low', 'medium', and 'high'")],
  ['service_tier gold', { service_tier: 'gold' }, coded('service_tier', 'invalid_value', /'gold'/)],
  ['safety_identifier too long', { safety_identifier: 'u'.repeat(129) }, longString('safety_identifier', 128)],
]
test.each(rows)('refused: %s', (_, body, expected) => expectRefusal(helix, body, expected))

describe('accepted', () => {
  const nullable = [
    ...['audio', 'frequency_penalty', 'presence_penalty', 'logit_bias', 'logprobs', 'top_logprobs', 'max_tokens'],
    ...['max_completion_tokens', 'metadata', 'modalities', 'moderation', 'n', 'prediction', 'prompt_cache_key'],
    ...['prompt_cache_retention', 'reasoning_effort', 'safety_identifier', 'seed', 'service_tier', 'stop', 'store'],
    ...['stream', 'stream_options', 'temperature', 'top_p', 'verbosity'],
    // Not nullable in the official document, and sent by clients all the same.
    ...['tools', 'tool_choice', 'response_format', 'user', 'parallel_tool_calls', 'functions', 'function_call'],
    'prompt_cache_options',
  ]
  test.each(nullable)('%s null', async (field) => {
    expect((await helix.chat({ [field]: null })).status).toBe(200)
  })

  test.each<[string, unknown]>([
    ['frequency_penalty', 0],
    ['presence_penalty', -2],
    ['function_call', 'none'],
    ['logprobs', false],
    ['modalities', ['text']],
    ['n', 128],
    ['parallel_tool_calls', true],
    ...['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'].map((one): [string, string] => [
      'reasoning_effort',
      one,
    ]),
    ['response_format', { type: 'text' }],
    ['seed', -(2 ** 63)],
    ['stop', ['日本', 'b', 'c', '👩‍👩‍👧']],
    ['temperature', 2],
    ['tool_choice', 'none'],
    ['top_p', 0],
    ...['low', 'medium', 'high'].map((one): [string, string] => ['verbosity', one]),
    ['logit_bias', { 0: -100, 999: 100 }],
    ['metadata', { ...pairs(15), ['k'.repeat(64)]: 'v'.repeat(512) }],
  ])('%s %j', async (field, value) => {
    expect((await helix.chat({ [field]: value })).status).toBe(200)
  })

  test('nulls inside stream_options and prompt_cache_options', async () => {
    const stream_options = { include_usage: null, continuous_usage_stats: null, include_obfuscation: null }
    const body = { stream: true, stream_options, prompt_cache_options: { mode: null, ttl: null } }
    expect((await helix.chat(body)).status).toBe(200)
  })

  test.each<[string, unknown]>([
    ['user', 'u'],
    ['safety_identifier', 'u'.repeat(128)],
    ['prompt_cache_key', 'k'],
    ['prompt_cache_options', { mode: 'explicit', ttl: '30m' }],
    ['prompt_cache_retention', '24h'],
    ['prediction', { type: 'content', content: [{ type: 'text', text: 'a' }] }],
    ...['auto', 'default', 'flex', 'scale', 'priority', 'fast'].map((tier): [string, unknown] => [
      'service_tier',
      tier,
    ]),
  ])('%s %j changes nothing', async (field, value) => {
    const plain = (await (await helix.chat({})).json()) as Record<string, unknown>
    const asked = (await (await helix.chat({ [field]: value })).json()) as Record<string, unknown>
    expect({ ...asked, id: plain.id, created: plain.created }).toEqual(plain)
  })
})

describe('a body that is not an object', () => {
  test.each(['[]', 'null', '"x"', '1', '', 'true', '[{}]'])('%j', async (body) => {
    const response = await helix.post(body)
    expect(response.status).toBe(400)
    expect(await readError(response)).toMatchObject({
      param: null,
      code: null,
      message: expect.stringMatching(/^We could not parse the JSON body of your request/),
    })
  })
})

describe('the context', () => {
  test('a prompt that fills the context is refused', () =>
    expectRefusal(
      helix,
      { messages: [{ role: 'user', content: 'x'.repeat(4 * 499) }] },
      coded(
        'messages',
        'context_length_exceeded',
        "This model's maximum context length is 500 tokens. However, your messages resulted in 500 tokens. Please reduce the length of the messages.",
      ),
    ))

  test.each(['max_tokens', 'max_completion_tokens'])('%s must fit into the context with the prompt', async (field) => {
    await expectRefusal(
      helix,
      { [field]: 499 },
      coded(
        'messages',
        'context_length_exceeded',
        "This model's maximum context length is 500 tokens. However, you requested 501 tokens (2 in the messages, 499 in the completion). Please reduce the length of the messages or completion.",
      ),
    )
    expect((await helix.chat({ [field]: 498 })).status).toBe(200)
  })
})

test('an unknown model is a 404', async () => {
  const response = await helix.chat({ model: 'gpt-9' })
  expect(response.status).toBe(404)
  expect(await readError(response)).toMatchObject({ param: null, code: 'model_not_found' })
})
