import { beforeAll, expect, test } from 'vitest'
import { readError } from '../harness/read-error.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix()
  return helix.close
})

test.each([
  ['PUT', '/v1/chat/completions', 'POST, GET, HEAD, OPTIONS'],
  ['DELETE', '/v1/chat/completions', 'POST, GET, HEAD, OPTIONS'],
  ['PUT', '/v1/chat/completions/chatcmpl-1', 'GET, HEAD, POST, DELETE, OPTIONS'],
  ['POST', '/v1/chat/completions/chatcmpl-1/messages', 'GET, HEAD, OPTIONS'],
  ['POST', '/v1/models', 'GET, HEAD, OPTIONS'],
  ['DELETE', '/v1/models/helix-v1', 'GET, HEAD, OPTIONS'],
  ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
])('%s %s is not allowed, and Allow lists what is', async (method, path, allowed) => {
  const response = await fetch(helix.url + path, { method, headers: helix.authorized })
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe(allowed)
  expect(await readError(response)).toEqual({
    message: `Method ${method} is not supported for ${path}. Supported: ${allowed}.`,
    type: 'invalid_request_error',
    param: null,
    code: 'method_not_supported',
  })
})

test('an error contains only part of a long path', async () => {
  const response = await fetch(`${helix.url}/v1/models/${'x'.repeat(10_000)}`, { method: 'POST' })
  expect(response.status).toBe(405)
  expect((await readError(response)).message.length).toBeLessThan(400)
})
