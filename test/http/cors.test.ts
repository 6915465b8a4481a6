import { expect, test } from 'vitest'
import { createManualClock } from '../harness/manual-clock.ts'
import { openRawConnection } from '../harness/raw-connection.ts'
import { rawRequests } from '../harness/raw-request.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, startHelix } from '../harness/start-helix.ts'

const page = 'https://app.example.com'
const preflight = (helix: Helix, path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(helix.url + path, {
    method: 'OPTIONS',
    headers: { origin: page, 'access-control-request-method': 'POST', ...headers },
  })
const corsHeaders = ({ headers }: Response): string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-') || name === 'vary')

test('a preflight needs no key and allows the methods of the path and the requested headers', async () => {
  const helix = await startHelix()
  const asked = 'authorization,content-type,x-stainless-lang,x-my-own'
  const response = await preflight(helix, '/v1/chat/completions', { 'access-control-request-headers': asked })
  expect(response.status).toBe(204)
  expect(await response.text()).toBe('')
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST, GET, HEAD, OPTIONS',
    'access-control-allow-headers': asked,
    'access-control-max-age': '86400',
    allow: 'POST, GET, HEAD, OPTIONS',
    'x-request-id': expect.stringMatching(/^req_/),
    'openai-processing-ms': expect.stringMatching(/^\d+$/),
  })
  expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  const models = await preflight(helix, '/v1/models/any', { 'access-control-request-method': 'GET' })
  expect(models.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS')
})

test.each([undefined, 'a b', 'authorization;x', 'a,,b', 'x'.repeat(2001), ','])(
  'a preflight that asks for the headers %j is told those that the official clients send',
  async (asked) => {
    const helix = await startHelix()
    const headers = asked === undefined ? {} : { 'access-control-request-headers': asked }
    const allowed = (await preflight(helix, '/v1/chat/completions', headers)).headers.get(
      'access-control-allow-headers',
    )
    expect(allowed?.split(', ')).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'openai-organization',
        'openai-project',
        'x-stainless-retry-count',
        'x-stainless-timeout',
        'idempotency-key',
        'last-event-id',
      ]),
    )
  },
)

test('OPTIONS without CORS headers lists the methods and has no CORS headers', async () => {
  const helix = await startHelix()
  for (const path of ['/v1/models', '/healthz', '/readyz']) {
    const response = await fetch(helix.url + path, { method: 'OPTIONS' })
    expect(response.status).toBe(204)
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect(response.headers.get('access-control-allow-methods')).toBeNull()
  }
})

test('every response of the API can be read by any page, with the headers that clients read', async () => {
  const helix = await startHelix({ config: { bodyLimitBytes: 1024, queueLimit: 0 } })
  const answers = [
    await helix.chat({}),
    await helix.chat({ stream: true }),
    await helix.get('/v1/models'),
    await fetch(`${helix.url}/v1/models`),
    await helix.get('/v1/nowhere'),
    await helix.get('/v1'),
    await preflight(helix, '/v1/nowhere'),
    await fetch(`${helix.baseUrl}/models`, { method: 'POST' }),
    await helix.post('{'),
    await helix.post('x'.repeat(2000)),
    await helix.post('{}', { 'content-encoding': 'gzip' }),
  ]
  helix.engine.setState('loading')
  answers.push(await helix.chat({}))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 401, 404, 404, 404, 405, 400, 413, 415, 503])
  for (const response of answers) {
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('vary')).toBeNull()
    expect(response.headers.get('access-control-expose-headers')?.split(', ')).toEqual([
      'x-request-id',
      'request-id',
      'openai-processing-ms',
      'openai-version',
      'openai-organization',
      'retry-after',
      'retry-after-ms',
      'x-should-retry',
      'x-ratelimit-limit-requests',
      'x-ratelimit-limit-tokens',
      'x-ratelimit-remaining-requests',
      'x-ratelimit-remaining-tokens',
      'x-ratelimit-reset-requests',
      'x-ratelimit-reset-tokens',
      'x-ratelimit-scope-requests',
      'x-ratelimit-scope-tokens',
      'idempotent-replayed',
      'x-helix-ignored-fields',
      'x-helix-ignored-tools',
      'x-helix-upstream',
      'x-helix-attempts',
      'x-helix-cache',
      'x-helix-hooks',
      'anthropic-ratelimit-requests-limit',
      'anthropic-ratelimit-requests-remaining',
      'anthropic-ratelimit-requests-reset',
      'anthropic-ratelimit-tokens-limit',
      'anthropic-ratelimit-tokens-remaining',
      'anthropic-ratelimit-tokens-reset',
    ])
  }
})

test('web pages can read that the server is stopping', async () => {
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const helix = await startHelix({
    clock: createManualClock(),
    *answer() {
      begun.resolve()
      yield { pause: held.promise }
    },
  })
  const connection = await openRawConnection(helix.url)
  connection.send(rawRequests(helix).postBody('Hi'))
  await begun.promise
  const closing = helix.server.close()
  connection.send(rawRequests(helix).get('/v1/models', 'OPTIONS'))
  held.resolve()
  await connection.answer()
  const { status, headers } = await connection.answer()
  expect(status).toBe(503)
  expect(headers.get('access-control-allow-origin')).toBe('*')
  await closing
})

test('with named origins only these are allowed, and responses vary by origin', async () => {
  const helix = await startHelix({ config: { corsOrigins: [page, 'http://localhost:5173'] } })
  const ask = (origin: string | null, path = '/v1/models') =>
    fetch(helix.url + path, { headers: origin === null ? helix.authorized : { ...helix.authorized, origin } })
  for (const origin of [page, 'http://localhost:5173']) {
    const response = await ask(origin)
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect(response.headers.get('vary')).toBe('Origin')
    expect((await ask(origin, '/v1/nowhere')).headers.get('access-control-allow-origin')).toBe(origin)
  }
  for (const origin of [null, 'null', 'http://app.example.com', `${page}.evil.com`, `${page}:8443`, 'http://localhost'])
    expect(corsHeaders(await ask(origin))).toEqual(['vary'])
  expect((await preflight(helix, '/v1/models')).headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS')
  const stranger = await preflight(helix, '/v1/models', { origin: 'https://evil.com' })
  expect(stranger.status).toBe(204)
  expect(corsHeaders(stranger)).toEqual(['vary'])
})

test('if CORS is disabled, no response has its headers', async () => {
  const helix = await startHelix({ config: { corsOrigins: [] } })
  for (const response of [await helix.chat({}), await helix.get('/v1/nowhere'), await preflight(helix, '/v1/models')])
    expect(corsHeaders(response)).toEqual([])
  expect((await preflight(helix, '/v1/models')).status).toBe(204)
})

test('only the API has CORS headers, and an unknown path has no methods', async () => {
  const helix = await startHelix()
  for (const path of ['/healthz', '/readyz', '/nowhere']) expect(corsHeaders(await helix.get(path))).toEqual([])
  for (const path of ['/v1/nowhere', '/v1/models/', '/v1//models', '/control/keys', '*']) {
    const response = await preflight(helix, path === '*' ? '/*' : path)
    expect(response.status).toBe(404)
    expect(response.headers.get('allow')).toBeNull()
    expect(await readError(response)).toMatchObject({ code: 'unknown_url' })
  }
})
