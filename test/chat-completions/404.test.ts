import { beforeAll, expect, test } from 'vitest'
import { readError } from '../harness/read-error.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ engine: { model: { id: 'acme/large:v2' } } })
  return helix.close
})

test.each([
  ['another name', 'helix-v9'],
  ['no name', ''],
  ['another case', 'ACME/large:v2'],
])('a model of %s does not exist', async (_, model) => {
  for (const stream of [false, true]) {
    const response = await helix.chat({ model, stream })
    expect(response.status).toBe(404)
    expect(await readError(response)).toMatchObject({
      param: null,
      code: 'model_not_found',
      message: `The model \`${model}\` does not exist or you do not have access to it.`,
    })
  }
})

test('a model with a slash in its name is found only if the slash is percent-encoded', async () => {
  expect((await helix.chat({ model: 'acme/large:v2' })).status).toBe(200)
  expect((await helix.get('/v1/models/acme%2Flarge:v2')).status).toBe(200)
  const apart = await helix.get('/v1/models/acme/large:v2')
  expect(apart.status).toBe(404)
  expect(await readError(apart)).toMatchObject({ code: 'unknown_url' })
})

test.each([
  ['GET', '/nowhere'],
  ['GET', '/v1'],
  ['POST', '/v1/engines'],
  ['POST', '/v1/chat/completions/'],
  ['POST', '/v1//chat/completions'],
  ['POST', '/chat/completions'],
  ['GET', '/V1/models'],
  ['GET', '/v1/models/%E0%A4%A'],
  ['GET', '/v1/models/'],
  ['OPTIONS', '/v1/chat/completions/'],
  ['OPTIONS', '/v1/nowhere'],
  ['DELETE', '/v1/x'],
])('%s %s is not found', async (method, path) => {
  const response = await fetch(helix.url + path, { method, headers: helix.authorized })
  expect(response.status).toBe(404)
  expect(await readError(response)).toEqual({
    message: `Invalid URL (${method} ${path})`,
    type: 'invalid_request_error',
    param: null,
    code: 'unknown_url',
  })
})

test('a query is ignored, and is not part of the error for an unknown path', async () => {
  expect((await helix.get('/v1/models?x=1')).status).toBe(200)
  expect((await readError(await helix.get('/v1/x?key=1'))).message).toBe('Invalid URL (GET /v1/x)')
})

test('an error contains only part of a long path', async () => {
  const { message } = await readError(await helix.get(`/v1/${'x'.repeat(10_000)}`))
  expect(message.length).toBeLessThan(300)
})

test.each(['GET', 'POST', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'])(
  'the routes of the local socket do not exist on the network (%s)',
  async (method) => {
    for (const path of ['/control/keys', '/control/keys/key_1/revoke']) {
      const response = await fetch(helix.url + path, { method, headers: helix.authorized })
      expect(response.status).toBe(404)
      expect(response.headers.get('allow')).toBeNull()
    }
  },
)
