import { beforeAll, expect, test } from 'vitest'
import { type BrowserSession, claimServer, goodPassword, openBrowser, signUp } from '../harness/browser-session.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, openHelix, startHelix } from '../harness/start-helix.ts'

let helix: Helix
let owner: BrowserSession
beforeAll(async () => {
  helix = await openHelix()
  owner = await claimServer(helix)
  return helix.close
})

const none = undefined
type Row = [title: string, headers: () => Record<string, string | undefined>, allowed: boolean]
const token = () => ({ 'x-csrf-token': owner.csrfToken() })

test.each<Row>([
  ['our own page', () => ({ origin: helix.url, ...token() }), true],
  ['our own page, as the browser says', () => ({ 'sec-fetch-site': 'same-origin', ...token() }), true],
  [
    'our own page behind a proxy that renames the host',
    () => ({ origin: 'https://x.example', 'sec-fetch-site': 'same-origin', ...token() }),
    true,
  ],
  ['no origin', token, false],
  ['an unknown origin', () => ({ origin: 'null', ...token() }), false],
  ['another site', () => ({ origin: 'https://evil.example', ...token() }), false],
  ['another port', () => ({ origin: 'http://127.0.0.1:1', ...token() }), false],
  ['another scheme', () => ({ origin: helix.url.replace('http', 'https'), ...token() }), false],
  ['a longer name', () => ({ origin: `${helix.url}.evil.example`, ...token() }), false],
  [
    'another site with a forged origin',
    () => ({ origin: helix.url, 'sec-fetch-site': 'cross-site', ...token() }),
    false,
  ],
  ['a sister site', () => ({ origin: helix.url, 'sec-fetch-site': 'same-site', ...token() }), false],
  ['an address that was typed', () => ({ origin: helix.url, 'sec-fetch-site': 'none', ...token() }), false],
  ['no token', () => ({ origin: helix.url }), false],
  ['an empty token', () => ({ origin: helix.url, 'x-csrf-token': '' }), false],
  ['a wrong token', () => ({ origin: helix.url, 'x-csrf-token': `${owner.csrfToken()}x` }), false],
])('what changes something is taken from a page of ours only: %s', async (_, headers, allowed) => {
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const sent = Object.entries({ cookie, 'content-type': 'application/json', ...headers() })
  const post = (path: string, body: unknown) =>
    fetch(`${helix.url}/platform${path}`, {
      method: 'POST',
      headers: Object.fromEntries(sent.filter((entry): entry is [string, string] => entry[1] !== none)),
      body: JSON.stringify(body),
    })
  const answers = [
    await post('/account/language', { language: 'en' }),
    await post('/password-reset/request', { email: 'nobody@example.com' }),
  ]
  for (const response of answers) {
    expect(response.status).toBe(allowed ? 204 : 403)
    if (!allowed) expect(await readError(response)).toMatchObject({ code: 'cross_site' })
  }
})

test('the token of another visit or session is refused', async () => {
  const other = await openBrowser(helix.url)
  const headers = { 'x-csrf-token': other.csrfToken() }
  expect((await owner.post('/account/language', { language: 'en' }, headers)).status).toBe(403)
  expect((await other.post('/sign-in', {}, { 'x-csrf-token': owner.csrfToken() })).status).toBe(403)
  // Nor does that of the visit for what needs a session.
  const visitOnly = { cookie: `helix_visit=${owner.cookies.get('helix_visit')}` }
  const visit = (await (await owner.get('/session', visitOnly)).json()) as { csrfToken: string }
  const response = await owner.post('/account/language', { language: 'en' }, { 'x-csrf-token': visit.csrfToken })
  expect(response.status).toBe(403)
})

test('an expired session has an error of its own, so that a page can ask to sign in again', async () => {
  const gone = { cookie: 'helix_session=gone' }
  expect((await owner.post('/account/language', { language: 'en' }, gone)).status).toBe(401)
})

test('cookies are HttpOnly, and bound to the host under TLS', async () => {
  const plain = await fetch(`${helix.url}/platform/session`)
  expect(plain.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^helix_visit=[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/),
  ])
  const behindTls = await startHelix({ config: { publicUrl: 'https://chat.example.com' } })
  const browser = await claimServer(behindTls, { origin: 'https://chat.example.com' })
  expect([...browser.cookies.keys()]).toEqual(['__Host-helix_visit', '__Host-helix_session', '__Host-helix_signed_in'])
  const response = await browser.signIn('owner@example.com')
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-helix_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/),
    // A hint for public pages, which says no more than that somebody is signed in.
    '__Host-helix_signed_in=1; Path=/; Max-Age=2592000; SameSite=Lax; Secure',
  ])
  // The name without the prefix, which a neighbour could set, counts for nothing.
  const session = browser.cookies.get('__Host-helix_session')
  expect((await browser.get('/keys', { cookie: `helix_session=${session}` })).status).toBe(401)
})

test('responses about a user are never cached', async () => {
  for (const path of ['/session', '/keys', '/account/sessions'])
    expect((await owner.get(path)).headers.get('cache-control')).toBe('no-store')
})

test('signing out and deleting the account empty what the browser has cached', async () => {
  const leaving = await signUp(helix.url, 'leaving@example.com')
  expect((await leaving.post('/sign-out')).headers.get('clear-site-data')).toBe('"cache"')
  const going = await signUp(helix.url, 'going@example.com')
  const gone = await going.post('/account/delete', { password: goodPassword })
  expect(gone.status).toBeLessThan(300)
  expect(gone.headers.get('clear-site-data')).toBe('"cache"')
})

test('a session is not accepted under /v1, and a key not under /platform, whatever else is sent', async () => {
  expect((await owner.send('GET', '/v1/models')).status).toBe(401)
  const keyed = { authorization: `Bearer ${helix.key}` }
  expect((await fetch(`${helix.url}/platform/keys`, { headers: keyed })).status).toBe(401)
  // Beside a session the header is not looked at.
  expect((await owner.get('/keys', { authorization: 'Bearer wrong' })).status).toBe(200)
})

test('pages of other sites are not allowed by CORS', async () => {
  const response = await owner.get('/session', { origin: 'https://evil.example' })
  expect(response.headers.get('access-control-allow-origin')).toBeNull()
})
