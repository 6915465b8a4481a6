import { beforeAll, expect, test } from 'vitest'
import { tokenizerInfoSchema, tokenListSchema, tokenTextSchema } from '../../src/api/tokenize/response-schema.ts'
import { readError } from '../harness/read-error.ts'
import { readLedger } from '../harness/read-ledger.ts'
import { type Helix, modelName, openHelix, startHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ config: { strictRequests: true } })
  return helix.close
})
const post = (path: string, body: Record<string, unknown>, { baseUrl, authorized } = helix) =>
  fetch(`${baseUrl}/${path}`, {
    method: 'POST',
    headers: authorized,
    body: JSON.stringify({ model: modelName, ...body }),
  })
const messages = [{ role: 'user', content: 'Hi' }]

test('the tokens of a conversation are those of its prompt; nothing is recorded as a request', async () => {
  const own = await startHelix()
  const response = await post('tokenize', { messages }, own)
  expect(tokenListSchema(await response.json())).toEqual({
    count: 2,
    max_model_len: 4096,
    tokens: [0, 1],
    token_strs: null,
  })
  expect(await readLedger(own)).toEqual([])
})

test('each token as the vocabulary spells it, if that is requested', async () => {
  const response = await post('tokenize', { messages, return_token_strs: true })
  expect(tokenListSchema(await response.json()).token_strs).toEqual(['<0>', '<1>'])
})

test('the text of tokens, also of none', async () => {
  expect(tokenTextSchema(await (await post('detokenize', { tokens: [7, 8] })).json())).toEqual({ prompt: '<7><8>' })
  expect(await (await post('detokenize', { tokens: [] })).json()).toEqual({ prompt: '' })
})

test.each([
  ['neither a prompt nor messages', 'tokenize', {}, 'prompt', 'missing_required_parameter'],
  ['both', 'tokenize', { prompt: 'a', messages }, 'prompt', 'invalid_value'],
  ['an empty prompt', 'tokenize', { prompt: '' }, 'prompt', 'empty_string'],
  [
    'template variables beside a prompt',
    'tokenize',
    { prompt: 'a', chat_template_kwargs: {} },
    'chat_template_kwargs',
    'invalid_value',
  ],
  [
    'both openings',
    'tokenize',
    { messages, continue_final_message: true, add_generation_prompt: true },
    'continue_final_message',
    'invalid_value',
  ],
  ['a field of another endpoint', 'tokenize', { prompt: 'a', temperature: 1 }, null, null],
  ['no tokens', 'detokenize', {}, 'tokens', 'missing_required_parameter'],
  ['a negative ID', 'detokenize', { tokens: [1, -1] }, 'tokens[1]', 'integer_below_min_value'],
  ['an ID that is not in the vocabulary', 'detokenize', { tokens: [1, 1000] }, 'tokens[1]', 'invalid_value'],
  [
    'more tokens than a prompt can have',
    'detokenize',
    { tokens: Array(4097).fill(1) },
    'tokens',
    'context_length_exceeded',
  ],
])('%s is refused', async (_, path, body, param, code) => {
  const response = await post(path, body)
  expect(response.status).toBe(400)
  expect(await readError(response)).toMatchObject({ param, code })
})

test.each([
  ['tokenize', { messages }],
  ['detokenize', { tokens: [1] }],
])('%s is refused for a model of an upstream, whose tokens are not known', async (path, body) => {
  const upstream = await startHelix({ engine: { model: { parsesAnswers: true } } })
  const response = await post(path, body, upstream)
  expect(response.status).toBe(400)
  expect(await readError(response)).toMatchObject({
    param: 'model',
    code: 'model_not_supported',
    message: expect.stringContaining('its token IDs are not known here'),
  })
})

test('a model that does not exist is 404, one that the key may not use 403', async () => {
  const unknown = await post('detokenize', { model: 'other', tokens: [] })
  expect(unknown.status).toBe(404)
  const { key } = (await helix.control('POST', '/control/keys', { name: 'other', models: ['other'] })) as {
    key: string
  }
  const authorized = { ...helix.authorized, authorization: `Bearer ${key}` }
  expect((await post('tokenize', { prompt: 'a' }, { ...helix, authorized })).status).toBe(403)
})

test.each(['', `?model=${modelName}`])(
  'tokenizer_info%s: the chat template and the tokens around a prompt',
  async (query) => {
    const response = await fetch(`${helix.baseUrl}/tokenizer_info${query}`, { headers: helix.authorized })
    expect(tokenizerInfoSchema(await response.json())).toEqual({
      tokenizer_class: 'llama.cpp',
      chat_template: '{{ messages }}',
      bos_token: null,
      eos_token: '</s>',
      add_bos_token: false,
      model_max_length: 4096,
    })
  },
)

test('tokenizer_info of an unknown model, and without a key', async () => {
  const unknown = await fetch(`${helix.baseUrl}/tokenizer_info?model=other`, { headers: helix.authorized })
  expect([unknown.status, (await readError(unknown)).code]).toEqual([404, 'model_not_found'])
  expect((await fetch(`${helix.baseUrl}/tokenizer_info`)).status).toBe(401)
})

test("vLLM's own addresses answer without the name of a model, for one that the key may use", async () => {
  const root = helix.baseUrl.replace(/\/v1$/, '')
  const send = (path: string, body: object, headers = helix.authorized) =>
    fetch(`${root}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(await (await send('/tokenize', { messages })).json()).toMatchObject({ tokens: [0, 1] })
  expect(await (await send('/tokenize', { model: modelName, messages })).json()).toMatchObject({ tokens: [0, 1] })
  expect(await (await send('/detokenize', { tokens: [7] })).json()).toEqual({ prompt: '<7>' })
  const info = await fetch(`${root}/tokenizer_info`, { headers: helix.authorized })
  expect(await info.json()).toMatchObject({ eos_token: '</s>' })
  const unknown = await send('/tokenize', { model: 'other', messages })
  expect([unknown.status, (await readError(unknown)).code]).toEqual([404, 'model_not_found'])
  const { key } = (await helix.control('POST', '/control/keys', { name: 'elsewhere', models: ['other'] })) as {
    key: string
  }
  const elsewhere = await send('/tokenize', { messages }, { ...helix.authorized, authorization: `Bearer ${key}` })
  expect([elsewhere.status, (await readError(elsewhere)).code]).toEqual([400, null])
  expect((await send('/tokenize', { messages }, { ...helix.authorized, authorization: 'Bearer no' })).status).toBe(401)
  expect((await fetch(`${root}/tokenizer_info`)).status).toBe(401)
})
