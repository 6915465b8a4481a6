import { beforeAll, describe, expect, test } from 'vitest'
import { unservedNames } from '../../src/api/generation/request/unserved-fields.ts'
import type { Engine } from '../../src/engine/contract.ts'
import { readError } from '../harness/read-error.ts'
import { embedderName, openScriptedEmbedder } from '../harness/scripted-embedder.ts'
import { openScriptedReranker, rerankerName } from '../harness/scripted-reranker.ts'
import { type Helix, modelName, openHelix, startHelix } from '../harness/start-helix.ts'

let helix: Helix
let embedder: Helix
let reranker: Helix
/** The messages that the engine was last asked to answer. */
let seen: unknown
beforeAll(async () => {
  helix = await openHelix({
    answer(messages) {
      seen = messages
      return ['ok']
    },
  })
  embedder = await openHelix({ startEngine: openScriptedEmbedder })
  reranker = await openHelix({ startEngine: openScriptedReranker })
  return async () => {
    await helix.close()
    await embedder.close()
    await reranker.close()
  }
})

type Body = Record<string, unknown>
type Headers = Record<string, string>

const user = { role: 'user', content: 'Hi' }
const valid: Record<string, Body> = {
  'chat/completions': { messages: [user] },
  completions: { prompt: 'Once' },
  responses: { input: [user] },
  'responses/input_tokens': { input: [user] },
  messages: { max_tokens: 5, messages: [user] },
  'messages/count_tokens': { messages: [user] },
  embeddings: { model: embedderName, input: 'Hi' },
  rerank: { model: rerankerName, query: 'Hi', documents: ['Hi'] },
  score: { model: rerankerName, text_1: 'Hi', text_2: 'Hi' },
  tokenize: { messages: [user] },
  detokenize: { tokens: [1] },
}
const paths = Object.keys(valid)
const engines: Record<string, () => Engine> = {
  embeddings: openScriptedEmbedder,
  rerank: openScriptedReranker,
  score: openScriptedReranker,
}
const serverOf = (path: string): Helix => {
  if (path === 'embeddings') return embedder
  return path === 'rerank' || path === 'score' ? reranker : helix
}

const post = (path: string, body: Body | string, headers: Headers = {}, server = serverOf(path)): Promise<Response> =>
  fetch(`${server.baseUrl}/${path}`, {
    method: 'POST',
    headers: { ...server.authorized, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify({ model: modelName, ...valid[path], ...body }),
  })
/** The status, and what was ignored. */
const ignoredIn = async (...call: Parameters<typeof post>): Promise<[number, string | null]> => {
  const response = await post(...call)
  await response.text()
  return [response.status, response.headers.get('x-helix-ignored-fields')]
}
const errorOf = async (...call: Parameters<typeof post>) => {
  const response = await post(...call)
  const { error } = JSON.parse(await response.text())
  return { status: response.status, ...error }
}

describe.each(paths)('/v1/%s', (path) => {
  test('an unknown field is ignored and reported', async () => {
    expect(await ignoredIn(path, {})).toEqual([200, null])
    expect(await ignoredIn(path, { mood: 'good', a: { b: 1 } })).toEqual([200, 'mood, a'])
  })

  test('it is refused for a client that asks for it, and by an operator who does', async () => {
    const strict = { 'x-helix-strict': '1' }
    expect(await errorOf(path, { mood: 'good' }, strict)).toMatchObject({
      status: 400,
      message: expect.stringContaining('mood'),
    })
    expect((await post(path, {}, strict)).status).toBe(200)
    expect(await ignoredIn(path, { mood: 'good' }, { 'x-helix-strict': '0' })).toEqual([200, 'mood'])
    const startEngine = engines[path]
    const server = await startHelix({
      ...(startEngine === undefined ? {} : { startEngine }),
      config: { strictRequests: true },
    })
    expect((await post(path, { mood: 'good' }, {}, server)).status).toBe(400)
    expect((await post(path, {}, {}, server)).status).toBe(200)
  })

  test('a large body, which is read on another thread, has the same result', async () => {
    const large = { padding: 'x'.repeat(100_000) }
    expect(await ignoredIn(path, { mood: 'good', ...large })).toEqual([200, 'mood, padding'])
    expect((await post(path, { mood: 'good', ...large }, { 'x-helix-strict': '1' })).status).toBe(400)
    expect((await errorOf(path, { modle: 'x', model: undefined, ...large })).status).toBe(400)
  })
})

test.each<[string, Body, string]>([
  [
    'chat/completions',
    {
      messages: [
        { ...user, cache_breakpoint: true },
        { role: 'user', content: [{ type: 'text', text: 'a', mood: 1 }], id: 'msg_1' },
      ],
      tools: [{ type: 'function', strange: 1, function: { name: 'f', kind: 2, parameters: { made: 'up' } } }],
      stream: true,
      stream_options: { include_usage: true, chunk: 5 },
    },
    'messages[0].cache_breakpoint, messages[1].id, messages[1].content[0].mood, tools[0].strange, tools[0].function.kind, stream_options.chunk',
  ],
  [
    'responses',
    { input: [{ ...user, mood: 1, content: [{ type: 'input_text', text: 'a', colour: 2 }] }], text: { size: 3 } },
    'input[0].mood, input[0].content[0].colour, text.size',
  ],
  [
    'messages',
    {
      messages: [{ ...user, content: [{ type: 'text', text: 'a', colour: 2 }] }],
      metadata: { team: 'x' },
      tools: [{ name: 'f', input_schema: {}, color: 'red' }],
    },
    'messages[0].content[0].colour, metadata.team, tools[0].color',
  ],
  ['rerank', { documents: [{ text: 'a', title: 'b' }], priority: 1 }, 'priority, documents[0].title'],
  ['tokenize', { messages: [{ ...user, mood: 1 }], temperature: 99 }, 'temperature, messages[0].mood'],
  ['responses/input_tokens', { input: [{ ...user, mood: 1 }], temperature: 99 }, 'temperature, input[0].mood'],
])('at /v1/%s, fields are reported with their paths, at every level', async (path, body, expected) => {
  expect(await ignoredIn(path, body)).toEqual([200, expected])
})

test('objects that are open by design have no unknown fields', async () => {
  const open = {
    metadata: { anything: 'goes' },
    logit_bias: { 5: 1 },
    chat_template_kwargs: { mood: { deep: [1] } },
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object', 'x-note': 1 } } },
  }
  expect(await ignoredIn('chat/completions', open)).toEqual([200, null])
})

test('what is ignored does not reach the engine', async () => {
  await post('chat/completions', { messages: [{ ...user, mood: 'good', id: 'm' }] })
  expect(seen).toEqual([user])
})

describe('a misspelling is refused, with the name of the field', () => {
  test.each<[string, Body, string, string]>([
    ['chat/completions', { temprature: 0.5 }, 'temprature', 'temperature'],
    ['chat/completions', { temperatures: 0.5 }, 'temperatures', 'temperature'],
    ['chat/completions', { temperatyre: 0.5 }, 'temperatyre', 'temperature'],
    ['chat/completions', { tempreature: 0.5 }, 'tempreature', 'temperature'],
    ['chat/completions', { max_token: 5 }, 'max_token', 'max_tokens'],
    ['chat/completions', { mesages: [user], messages: undefined }, 'mesages', 'messages'],
    [
      'chat/completions',
      { stream: true, stream_options: { include_usages: true } },
      'stream_options.include_usages',
      'include_usage',
    ],
    ['responses', { instruction: 'Be brief.' }, 'instruction', 'instructions'],
    ['completions', { promt: 'x', prompt: undefined }, 'promt', 'prompt'],
    ['embeddings', { dimension: 3 }, 'dimension', 'dimensions'],
    ['rerank', { return_document: true }, 'return_document', 'return_documents'],
    ['tokenize', { return_token_str: true }, 'return_token_str', 'return_token_strs'],
  ])('%s %j', async (path, body, param, suggestion) => {
    expect(await errorOf(path, body)).toMatchObject({
      status: 400,
      code: 'unknown_parameter',
      param,
      message: `Unknown parameter: '${param}'. Did you mean '${suggestion}'?`,
    })
  })

  test('in the style of the API', async () => {
    const response = await post('messages', { sytem: 'Be brief.' })
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: "Unknown parameter: 'sytem'. Did you mean 'system'?" },
    })
  })

  test.each<[string, Body, string]>([
    ['a field of another provider', { top_a: 0.5, speed: 1 }, 'top_a, speed'],
    ['the field is there too', { temperature: 1, temprature: 0.5 }, 'temprature'],
    ['a value that the field does not accept', { temprature: 'warm' }, 'temprature'],
    ['two mistakes', { tmprature: 0.5 }, 'tmprature'],
    ['a name of four letters', { sead: 5 }, 'sead'],
    ['a part of a message that another provider has', { messages: [{ ...user, context: 'x' }] }, 'messages[0].context'],
  ])('not if it is %s', async (_, body, ignored) => {
    expect(await ignoredIn('chat/completions', body)).toEqual([200, ignored])
  })

  test('at most 64 names are compared', async () => {
    const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`field_${at}`, 1]))
    expect((await post('chat/completions', { ...names(63), temprature: 1 })).status).toBe(400)
    expect((await post('chat/completions', { ...names(64), temprature: 1 })).status).toBe(200)
  })
})

describe('a field without which the answer would be another one', () => {
  const issue = ['bad_words', 'grammar', 'json_schema', 'guided_grammar', 'use_beam_search', 'lora']
  test.each([...issue, 'thread', 'system', 'input', 'format', 'lora_path', 'chat_template'])('%s', async (field) => {
    expect(unservedNames).toContain(field)
    for (const path of ['chat/completions', 'completions', 'responses', 'messages']) {
      if (valid[path]?.[field] !== undefined || (path === 'messages' && field === 'system')) continue
      expect(await errorOf(path, { [field]: ['x'] })).toMatchObject({
        status: 400,
        message: expect.stringContaining(`Unsupported parameter: '${field}'`),
      })
      expect((await post(path, { [field]: null })).status).toBe(200)
    }
  })

  test('a default asks for nothing', async () => {
    const defaults = { grammar: '', bad_words: [], use_beam_search: false, best_of: 1, lora: [], n_probs: 0 }
    expect(await ignoredIn('chat/completions', defaults)).toEqual([200, Object.keys(defaults).join(', ')])
    expect(await errorOf('chat/completions', { best_of: 2 })).toMatchObject({ code: 'unsupported_parameter' })
  })

  test('only where it would change something', async () => {
    expect(await ignoredIn('embeddings', { grammar: 'x' })).toEqual([200, 'grammar'])
    expect(await errorOf('embeddings', { output_dtype: 'int8' })).toMatchObject({ param: 'output_dtype' })
    expect(await ignoredIn('tokenize', { grammar: 'x' })).toEqual([200, 'grammar'])
    expect(await errorOf('tokenize', { chat_template: 'x' })).toMatchObject({ param: 'chat_template' })
    expect(await ignoredIn('chat/completions', { messages: [{ ...user, grammar: 'x' }] })).toEqual([
      200,
      'messages[0].grammar',
    ])
  })
})

describe('the header', () => {
  const numbered = (count: number, name = 'f') =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, 1]))

  test('has at most 32 names, and says how many more there are', async () => {
    const [, all] = await ignoredIn('chat/completions', numbered(32))
    expect(all?.split(', ')).toEqual(Object.keys(numbered(32)))
    const [, some] = await ignoredIn('chat/completions', numbered(40))
    expect(some?.split(', ')).toEqual([...Object.keys(numbered(32)), '+8 more'])
  })

  test('contains nothing that a header must not, and no name at length', async () => {
    const body = {
      猫: 1,
      'a, b': 2,
      'x\r\nset-cookie: y': 3,
      '\u0000\ud83d\u202e': 4,
      '+1 more': 5,
      ['n'.repeat(5000)]: 6,
    }
    const [status, header] = await ignoredIn('chat/completions', body)
    expect(status).toBe(200)
    expect(header?.split(', ').map(decodeURIComponent)).toEqual([
      ...['猫', 'a, b', 'x\ufffd\ufffdset-cookie: y', '\ufffd\ufffd\ufffd', '+1 more', `${'n'.repeat(64)}…`],
    ])
    const long = numbered(32, '長'.repeat(60))
    const [, cut] = await ignoredIn('chat/completions', long)
    expect(cut?.length).toBeLessThan(4200)
    expect(cut).toMatch(/, \+\d+ more$/)
  })

  test('names of built-in properties are names like any other', async () => {
    const body = `{"model":"${modelName}","messages":[{"role":"user","content":"Hi","__proto__":{"name":"x"}}],"__proto__":{"stream":true},"constructor":1}`
    expect(await ignoredIn('chat/completions', body)).toEqual([200, '__proto__, constructor, messages[0].__proto__'])
  })

  test('is sent with a stream, with an error after the body was read, and with a replay', async () => {
    expect(await ignoredIn('chat/completions', { stream: true, mood: 1 })).toEqual([200, 'mood'])
    expect(await ignoredIn('chat/completions', { model: 'none', mood: 1 })).toEqual([404, 'mood'])
    const key = { 'idempotency-key': 'one' }
    expect(await ignoredIn('chat/completions', { mood: 1 }, key)).toEqual([200, 'mood'])
    const again = await post('chat/completions', { mood: 1 }, key)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('x-helix-ignored-fields')).toBe('mood')
    // It is another body, whatever is ignored of it.
    expect((await post('chat/completions', { mood: 2 }, key)).status).toBe(409)
  })
})

test('more than 256 unknown fields in a body are refused', async () => {
  const messages = (count: number) => Array.from({ length: count }, () => ({ ...user, mood: 1, tone: 2 }))
  expect((await post('chat/completions', { messages: messages(128) })).status).toBe(200)
  expect(await errorOf('chat/completions', { messages: messages(129) })).toMatchObject({
    status: 400,
    code: 'unknown_parameter',
    param: 'messages[128].mood',
  })
})

test('management endpoints and query parameters refuse unknown fields all the same', async () => {
  const created = await helix.control('POST', '/control/keys', { name: 'x', colour: 'red' })
  expect(created).toMatchObject({ error: { code: 'unknown_parameter', param: 'colour' } })
  const listed = await helix.get('/v1/chat/completions?colour=red')
  expect(await readError(listed)).toMatchObject({ code: 'unknown_parameter', param: 'colour' })
})

test('a long description of a tool is accepted', async () => {
  const description = 'd'.repeat(10_000)
  const tools = [{ type: 'function', function: { name: 'f', description } }]
  expect((await post('chat/completions', { tools })).status).toBe(200)
  expect((await post('chat/completions', { functions: [{ name: 'f', description }] })).status).toBe(200)
})
