import { beforeAll, expect, test } from 'vitest'
import { mintKey } from '../../src/keys/key-format.ts'
import { createManualClock, type ManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
let clock: ManualClock
beforeAll(async () => {
  clock = createManualClock()
  helix = await openHelix({ clock })
  return helix.close
})

const ask = (authorization: string | undefined, body = '{}', path = '/v1/chat/completions'): Promise<Response> =>
  fetch(helix.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) },
    body,
  })
type Made = { id: string; key: string }
const makeKey = async (expiresAtMs: number | null = null): Promise<Made> =>
  (await helix.control('POST', '/control/keys', { name: 'k', expiresAt: expiresAtMs })) as Made
const masked = (key: string): string => `${key.slice(0, 8)}${'*'.repeat(32)}${key.slice(-4)}`

test.each([
  ['no Authorization header', undefined],
  ['an empty one', ''],
  ['the scheme alone', 'Bearer'],
  ['the scheme and a space', 'Bearer '],
  ['another scheme', 'Basic aGVsaXg6c2VjcmV0'],
  ['a key without a scheme', mintKey()],
])('%s: no key was provided', async (_, authorization) => {
  const response = await ask(authorization)
  expect(response.status).toBe(401)
  const error = await readError(response)
  expect(error).toMatchObject({
    param: null,
    code: null,
    message: expect.stringMatching(/^You didn't provide an API key/),
  })
  expect(JSON.stringify(error)).not.toMatch(/aGVsaXg6c2VjcmV0|hx_live_/)
})

test.each([
  ['an unknown key', mintKey()],
  ['a key with a typo', `${mintKey().slice(0, -1)}!`],
  ["another service's key", 'sk-proj-0123456789abcdefghijklmnopqrstuvwxyz0123456789'],
])('%s is refused, and the error shows only its ends', async (_, key) => {
  const response = await ask(`Bearer ${key}`)
  expect(response.status).toBe(401)
  const error = await readError(response)
  expect(error).toMatchObject({ param: null, code: 'invalid_api_key' })
  expect(error.message).toMatch(/^Incorrect API key provided: /)
  expect(error.message).toContain(masked(key))
  expect(JSON.stringify(error)).not.toContain(key.slice(8, 14))
})

test('the error shows nothing of a short key', async () => {
  const error = await readError(await ask('Bearer hunter2'))
  expect(error.message).toMatch(/^Incorrect API key provided: \*{7}\. /)
})

test.each(['Bearer', 'bearer', 'BEARER', 'Bearer  '])('the scheme %s is accepted', async (scheme) => {
  expect((await ask(`${scheme} ${helix.key}`)).status).toBe(400)
})

test.each([
  ['a body that is not JSON', '{', '/v1/chat/completions'],
  ['a body over the limit', 'x'.repeat(5_000_000), '/v1/chat/completions'],
  ['an unknown model', '{"model":"none","messages":[]}', '/v1/chat/completions'],
])('the key is verified before %s is checked', async (_, body, path) => {
  expect((await ask(undefined, body, path)).status).toBe(401)
})

test('a revoked key is refused at once, with an error that says so', async () => {
  const { id, key } = await makeKey()
  expect((await ask(`Bearer ${key}`)).status).toBe(400)
  await helix.control('POST', `/control/keys/${id}/revoke`)
  const response = await ask(`Bearer ${key}`)
  expect(response.status).toBe(401)
  expect(await readError(response)).toMatchObject({
    param: null,
    code: 'invalid_api_key',
    message: `API key ${masked(key)} has been revoked.`,
  })
})

test('an expired key is refused from the millisecond of its expiry on, with an error that says so', async () => {
  const { key } = await makeKey(clock.now() + 5000)
  clock.advance(4999)
  expect((await ask(`Bearer ${key}`)).status).toBe(400)
  clock.advance(1)
  const response = await ask(`Bearer ${key}`)
  expect(response.status).toBe(401)
  expect(await readError(response)).toMatchObject({
    param: null,
    code: 'invalid_api_key',
    message: `API key ${masked(key)} has expired.`,
  })
})
