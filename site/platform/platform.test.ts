import { expect, test } from 'vitest'
import { createPageCredentials, createPlatform, operationUrl } from './platform.ts'
import { PlatformError } from './platform-error.ts'

type Sent = {
  method: string
  url: string
  token: string | null
  organisation: string | null
  body: unknown
  kept: boolean
}

/** A server that answers each call with the next of these; it lists what it was sent. */
const createServer = (...answers: readonly (Response | Error)[]) => {
  const sent: Sent[] = []
  const left = [...answers]
  const credentials = createPageCredentials()
  const platform = createPlatform(credentials, async (url, { method = '', headers, body, keepalive = false }) => {
    const read = new Headers(headers)
    const [token, organisation] = [read.get('x-csrf-token'), read.get('x-organisation')]
    sent.push({ method, url, token, organisation, body: body ?? null, kept: keepalive })
    const answer = left.shift() ?? new Response(null, { status: 204 })
    if (answer instanceof Error) throw answer
    return answer
  })
  return { platform, credentials, sent }
}
const session = (csrfToken: string): Response => Response.json({ csrfToken })
const refusal = (status: number, code: string): Response =>
  Response.json({ error: { code, message: 'no' } }, { status })

test('an operation is called by its name, with the token of the session and the organisation of the page', async () => {
  const { platform, credentials, sent } = createServer(session('t1'), Response.json({ id: 'key_1' }))
  credentials.organisationId = 'org_1'
  const key = await platform.rotateKey({ params: { key: 'key/1' }, body: { graceMs: 5 } })
  expect(key.id).toBe('key_1')
  const organisation = 'org_1'
  expect(sent).toEqual([
    { method: 'GET', url: '/platform/session', token: null, organisation, body: null, kept: false },
    {
      ...{ method: 'POST', url: '/platform/keys/key%2F1/rotate', token: 't1', organisation, kept: false },
      body: '{"graceMs":5}',
    },
  ])
})

test('numbers and truth values of a query are written as text, and an empty query is none', async () => {
  const { platform, sent } = createServer(Response.json({}), Response.json({}))
  await platform.showUsage({ query: { days: 30, zone: 'Asia/Tokyo', compare: true } })
  await platform.showUsage({ query: {} })
  expect(sent.map(({ url }) => url)).toEqual([
    '/platform/usage?days=30&zone=Asia%2FTokyo&compare=true',
    '/platform/usage',
  ])
  expect(operationUrl('exportUsage', { query: { days: 7 } })).toBe('/platform/usage.csv?days=7')
  expect(operationUrl('exportAccount', {})).toBe('/platform/account/export')
})

test('an old token is replaced once; other refusals are thrown', async () => {
  const renewed = createServer(refusal(403, 'cross_site'), session('t2'), new Response(null, { status: 204 }))
  renewed.credentials.csrfToken = 't1'
  expect(await renewed.platform.signOut()).toBe(undefined)
  expect(renewed.sent.map(({ url, token }) => [url, token])).toEqual([
    ['/platform/sign-out', 't1'],
    ['/platform/session', null],
    ['/platform/sign-out', 't2'],
  ])
  const refused = createServer(refusal(403, 'role_too_low'))
  refused.credentials.csrfToken = 't1'
  await expect(refused.platform.signOut()).rejects.toMatchObject({ status: 403, code: 'role_too_low' })
  expect(refused.sent).toHaveLength(1)
})

test('a server that cannot be reached is offline, and an abandoned call is not', async () => {
  const failed = createServer(new TypeError('failed to fetch'))
  await expect(failed.platform.listKeys()).rejects.toMatchObject({ code: 'offline' })
  const control = new AbortController()
  control.abort()
  const aborted = createServer(new DOMException('stopped', 'AbortError'))
  await expect(aborted.platform.listKeys({ signal: control.signal })).rejects.not.toBeInstanceOf(PlatformError)
})

test('what must not be lost with the page is kept alive, as far as browsers allow', async () => {
  const { platform, credentials, sent } = createServer(Response.json({ version: 1 }), Response.json({ version: 2 }))
  credentials.csrfToken = 't1'
  await platform.saveDraft({ body: { content: 'a' }, keepalive: true })
  await platform.saveDraft({ body: { content: '日'.repeat(30_000) }, keepalive: true })
  expect(sent.map(({ kept }) => kept)).toEqual([true, false])
})

test('files and streams are returned unread', async () => {
  const { platform, credentials } = createServer(new Response('data: [DONE]'))
  credentials.csrfToken = 't1'
  const response = await platform.completeInPlayground({ body: { messages: [] } })
  expect(await response.text()).toBe('data: [DONE]')
})

test('what a row does not have cannot be given, and what it has cannot be left out or be of another type', () => {
  const { platform } = createServer()
  // The type checker fails if one of these is no error.
  const calls = () => [
    // @ts-expect-error: a whole language instead of its code
    platform.invite({ body: { role: 'member', send: 'link', language: { code: 'en' } } }),
    // @ts-expect-error: no body
    platform.createKey(),
    // @ts-expect-error: another name in the path
    platform.showKey({ params: { id: 'key_1' } }),
    // @ts-expect-error: an unknown field
    platform.signIn({ body: { email: 'a@b', password: 'x', remember: true } }),
    // @ts-expect-error: a body for an operation without one
    platform.signOut({ body: {} }),
  ]
  expect(calls).toBeTypeOf('function')
})
