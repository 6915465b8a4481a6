import { beforeAll, describe, expect, test } from 'vitest'
import * as refusal from '../harness/expect-refusal.ts'
import { expectRefusal, type Row } from '../harness/expect-refusal.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

const { above, below, coded, longArray, unsupported, wrongType } = refusal

/** What other servers have beyond the official service, and 49 allows. */
describe('extensions', () => {
  let helix: Helix
  beforeAll(async () => {
    helix = await openHelix({ config: { strictRequests: true } })
    return helix.close
  })

  const rows: Row[] = [
    ['top_k -2', { top_k: -2 }, below('top_k', 'integer', -1, -2)],
    ['top_k 1.5', { top_k: 1.5 }, wrongType('top_k', 'an integer', 'a decimal')],
    ['min_p 1.1', { min_p: 1.1 }, above('min_p', 'decimal', 1, 1.1)],
    ['repetition_penalty 0', { repetition_penalty: 0 }, below('repetition_penalty', 'decimal', 0.01, 0)],
    ['repetition_penalty 11', { repetition_penalty: 11 }, above('repetition_penalty', 'decimal', 10, 11)],
    ['min_tokens -1', { min_tokens: -1 }, below('min_tokens', 'integer', 0, -1)],
    ['min_tokens above max_tokens', { min_tokens: 6, max_tokens: 5 }, above('min_tokens', 'integer', 5, 6)],
    ['ignore_eos 1', { ignore_eos: 1 }, wrongType('ignore_eos', 'a boolean', 'an integer')],
    ['stop_token_ids 5', { stop_token_ids: 5 }, wrongType('stop_token_ids', 'an array of integers', 'an integer')],
    ['stop_token_ids [-1]', { stop_token_ids: [1, -1] }, below('stop_token_ids[1]', 'integer', 0, -1)],
    ['129 stop_token_ids', { stop_token_ids: Array.from({ length: 129 }, () => 1) }, longArray('stop_token_ids', 128)],
    [
      'a stop token outside the vocabulary',
      { stop_token_ids: [999, 1000] },
      coded(
        'stop_token_ids[1]',
        'invalid_value',
        "Invalid key in 'stop_token_ids[1]': 1000. Expected the ID of a token in the vocabulary of the model.",
      ),
    ],
    [
      'chat_template_kwargs a list',
      { chat_template_kwargs: [] },
      wrongType('chat_template_kwargs', 'an object', 'an empty array'),
    ],
    [
      'long chat_template_kwargs',
      { chat_template_kwargs: { a: 'x'.repeat(65_536) } },
      coded(
        'chat_template_kwargs',
        'invalid_value',
        "Invalid value for 'chat_template_kwargs': it has more than 65536 characters as JSON.",
      ),
    ],
    [
      'continue_final_message with add_generation_prompt',
      { continue_final_message: true, add_generation_prompt: true },
      coded(
        'continue_final_message',
        'invalid_value',
        "'continue_final_message' and 'add_generation_prompt' cannot both be true.",
      ),
    ],
    ['return_token_ids "no"', { return_token_ids: 'no' }, wrongType('return_token_ids', 'a boolean', 'a string')],
    ...['use_beam_search', 'best_of', 'grammar', 'n_predict', 'typical_p'].map(
      (field): Row => [field, { [field]: 1 }, coded(null, null, `Unrecognized request argument supplied: ${field}`)],
    ),
  ]
  test.each(rows)('refused: %s', (_, body, expected) => expectRefusal(helix, body, expected))

  test.each<[string, unknown]>([
    ['top_k', -1],
    ['min_p', 1],
    ['repetition_penalty', 1.1],
    ['min_tokens', 2],
    ['ignore_eos', true],
    ['stop_token_ids', []],
    ['stop_token_ids', [0, 999]],
    ['chat_template_kwargs', { enable_thinking: false, __proto__: null, deep: [{ a: null }] }],
    ['continue_final_message', true],
    ['add_generation_prompt', false],
    ['return_token_ids', true],
    ['prompt_logprobs', 0],
    ['allowed_token_ids', [0, 999]],
    ['logprob_token_ids', []],
  ])('%s %j is accepted, and so is null', async (field, value) => {
    expect((await helix.chat({ [field]: value })).status).toBe(200)
    expect((await helix.chat({ [field]: null })).status).toBe(200)
  })
})

test.each<[string, object]>([
  ['a JSON object', { response_format: { type: 'json_object' } }],
  ['a pattern', { guided_regex: 'a+' }],
  ['tools', { tools: [{ type: 'function', function: { name: 'f' } }] }],
])('allowed_token_ids cannot be combined with %s, which may need other tokens', async (_, constrained) => {
  const helix = await openHelix()
  const response = await helix.chat({ allowed_token_ids: [1], ...constrained })
  const { error } = JSON.parse(await response.text())
  await helix.close()
  expect([response.status, error.param, error.code]).toEqual([400, 'allowed_token_ids', 'invalid_value'])
})

/** An upstream server may be able to do less than the model we bring. */
describe('an engine with few features', () => {
  let helix: Helix
  beforeAll(async () => {
    helix = await openHelix({ engine: { model: { features: new Set(), vocabularyTokens: null } } })
    return helix.close
  })

  const tools = [{ type: 'function', function: { name: 'f' } }]
  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }
  const roundTrip = [
    { role: 'assistant', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'a', content: '' },
  ]
  test.each<[string, Record<string, unknown>]>([
    ['tools', { tools }],
    ['functions', { functions: [{ name: 'f' }] }],
    ['messages', { messages: roundTrip }],
    ['response_format', { response_format: { type: 'json_schema', json_schema: { name: 'n' } } }],
    ['guided_json', { guided_json: {} }],
    ['guided_regex', { guided_regex: 'a', guided_json: null }],
    ['guided_choice', { guided_choice: ['a'], response_format: { type: 'text' } }],
    ['structured_outputs', { structured_outputs: { regex: 'a' } }],
    ['logprobs', { logprobs: true }],
    ['logit_bias', { logit_bias: { 1: 1 } }],
    ['stop_token_ids', { stop_token_ids: [1] }],
    ['min_tokens', { min_tokens: 1 }],
    ['ignore_eos', { ignore_eos: true }],
    ['return_token_ids', { return_token_ids: true }],
    ['allowed_token_ids', { allowed_token_ids: [1] }],
    ['chat_template_kwargs', { chat_template_kwargs: { a: 1 } }],
    ['continue_final_message', { continue_final_message: true }],
    ['add_generation_prompt', { add_generation_prompt: false }],
  ])('%s is refused by name', (field, body) => expectRefusal(helix, body, unsupported(field)))

  test('values that request nothing are accepted', async () => {
    const nothing = {
      ...{
        tool_choice: 'none',
        response_format: { type: 'text' },
        logprobs: false,
        logit_bias: {},
        stop_token_ids: [],
      },
      ...{ min_tokens: 0, ignore_eos: false, return_token_ids: false, chat_template_kwargs: {}, guided_json: null },
      ...{ continue_final_message: false, add_generation_prompt: true, reasoning_effort: 'medium' },
    }
    expect((await helix.chat(nothing)).status).toBe(200)
    expect((await helix.chat({ tools, tool_choice: 'none' })).status).toBe(200)
  })
})
