import { beforeAll, expect, test } from 'vitest'
import { createKeyMaker } from '../harness/key-maker.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, modelName, openHelix } from '../harness/start-helix.ts'

let helix: Helix
let makeKey: ReturnType<typeof createKeyMaker>
beforeAll(async () => {
  helix = await openHelix()
  makeKey = createKeyMaker(helix)
  return helix.close
})

const chat = { model: modelName, messages: [{ role: 'user', content: 'Hi' }] }
const calls: [string, string, unknown?][] = [
  ['POST', '/v1/chat/completions', chat],
  ['GET', '/v1/models'],
  ['GET', `/v1/models/${modelName}`],
  ['GET', '/v1/chat/completions'],
  ['GET', '/v1/chat/completions/chatcmpl-none'],
  ['GET', '/v1/chat/completions/chatcmpl-none/messages'],
  ['POST', '/v1/chat/completions/chatcmpl-none', { metadata: null }],
  ['DELETE', '/v1/chat/completions/chatcmpl-none'],
  ['GET', '/v1/keys'],
  ['POST', '/v1/keys', { name: 'x' }],
  ['GET', '/v1/usage'],
]
const places = (indexes: number[]) => calls.map((_, index) => indexes.includes(index))

test.each([
  ['chat', [0]],
  ['models', [1, 2]],
  ['completions.read', [3, 4, 5]],
  ['completions.write', [6, 7]],
  ['manage', [8, 9, 10]],
])('a key with the scope %s allows that and nothing else', async (scope, open) => {
  const { call } = await makeKey({ scopes: [scope] })
  const opened: boolean[] = []
  for (const [method, path, body] of calls) {
    const response = await call(method, path, body)
    opened.push(response.status !== 403)
    if (response.status === 403) expect((await readError(response)).code).toBe('missing_scope')
    else await response.text()
  }
  expect(opened).toEqual(places(open))
  expect((await call('GET', '/v1/key')).status).toBe(200)
})

test('the error names the missing scope', async () => {
  const { call } = await makeKey({ scopes: ['manage'] })
  expect(await readError(await call('POST', '/v1/chat/completions', chat))).toEqual({
    message: "This API key does not have the required scope 'chat'.",
    type: 'invalid_request_error',
    param: null,
    code: 'missing_scope',
  })
})

test('completions are stored only by a key that may write them', async () => {
  const only = await makeKey({ scopes: ['chat'] })
  const refused = await only.call('POST', '/v1/chat/completions', { ...chat, store: true })
  expect(refused.status).toBe(403)
  expect((await readError(refused)).message).toContain("'completions.write'")
  expect((await only.call('POST', '/v1/chat/completions', { ...chat, store: false })).status).toBe(200)
  const both = await makeKey({ scopes: ['chat', 'completions.write'] })
  expect((await both.call('POST', '/v1/chat/completions', { ...chat, store: true })).status).toBe(200)
})

test('a key sees and uses only its own models', async () => {
  const other = await makeKey({ models: ['another'] })
  expect(await (await other.call('GET', '/v1/models')).json()).toEqual({ object: 'list', data: [] })
  expect((await other.call('GET', `/v1/models/${modelName}`)).status).toBe(404)
  const refused = await other.call('POST', '/v1/chat/completions', chat)
  expect(refused.status).toBe(403)
  expect(await readError(refused)).toMatchObject({ code: 'model_not_allowed', param: 'model' })
  const own = await makeKey({ models: ['another', modelName] })
  expect(await (await own.call('GET', '/v1/models')).json()).toMatchObject({ data: [{ id: modelName }] })
  expect((await own.call('POST', '/v1/chat/completions', chat)).status).toBe(200)
  expect((await own.call('POST', '/v1/chat/completions', { ...chat, model: 'another' })).status).toBe(404)
})

test('a refusal for a missing permission is logged with the id of the key', async () => {
  const { call, id } = await makeKey({ scopes: ['models'] })
  await (await call('POST', '/v1/chat/completions', chat)).text()
  expect(await helix.logged({ event: 'request', keyId: id })).toMatchObject({ status: 403, error: 'missing_scope' })
})
