import { beforeAll, expect, test } from 'vitest'
import { shownModelName } from '../src/base/model-name.ts'
import { readError } from './harness/read-error.ts'
import { type Helix, modelName, openHelix, startHelix } from './harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ engine: { model: { created: 1_700_000_000, ownedBy: 'acme' } } })
  return helix.close
})

const model = {
  ...{ id: modelName, object: 'model', created: 1_700_000_000, owned_by: 'acme' },
  ...{ kind: 'chat', aliases: [], context_length: 4096 },
  capabilities: ['grammar', 'logprobs', 'template', 'token_ids', 'tools'],
  endpoints: [
    ...['/v1/chat/completions', '/v1/responses', '/v1/messages', '/v1/completions'],
    ...['/v1/tokenize', '/v1/detokenize', '/v1/tokenizer_info'],
  ],
  price: null,
}

test('the list contains the served model', async () => {
  const response = await helix.get('/v1/models')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toEqual({ object: 'list', data: [model] })
})

test('a model is found by its name', async () => {
  expect(await (await helix.get(`/v1/models/${modelName}`)).json()).toEqual(model)
})

test('a model with another name is not found', async () => {
  for (const name of ['nothing', 'a%2Fb', '%00', `${modelName}%20`]) {
    const response = await helix.get(`/v1/models/${name}`)
    expect(response.status).toBe(404)
    expect(await readError(response)).toEqual({
      message: `The model \`${shownModelName(decodeURIComponent(name))}\` does not exist or you do not have access to it.`,
      type: 'invalid_request_error',
      param: null,
      code: 'model_not_found',
    })
  }
})

test('a name with a slash and a colon is found when it is percent-encoded', async () => {
  const id = 'acme/helix-v1:free'
  const other = await startHelix({ engine: { model: { id } } })
  for (const path of ['acme%2Fhelix-v1:free', encodeURIComponent(id)]) {
    const response = await other.get(`/v1/models/${path}`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ id, object: 'model' })
  }
  expect((await other.chat({ model: id })).status).toBe(200)
})

test('HEAD has the headers of GET and no body', async () => {
  for (const path of ['/v1/models', `/v1/models/${modelName}`]) {
    const [get, head] = await Promise.all([
      helix.get(path),
      fetch(helix.url + path, { method: 'HEAD', headers: helix.authorized }),
    ])
    expect(head.status).toBe(200)
    // fetch gives up the connection behind a HEAD.
    const own = ['x-request-id', 'openai-processing-ms', 'date', 'connection', 'keep-alive']
    const shared = ({ headers }: Response) => [...headers].filter(([name]) => !own.includes(name))
    expect(shared(head)).toEqual(shared(get))
    expect(head.headers.get('openai-processing-ms')).toMatch(/^\d+$/)
    expect(head.headers.get('x-request-id')).toMatch(/^req_/)
    expect(await head.text()).toBe('')
  }
})

test.each(['/v1/models', `/v1/models/${modelName}`, '/v1/models/nothing'])('%s needs a key', async (path) => {
  const response = await fetch(helix.url + path)
  expect(response.status).toBe(401)
  await readError(response)
})
