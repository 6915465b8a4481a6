import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { appCode } from '../harness/authenticator-app.ts'
import {
  type BrowserSession,
  claimServer,
  goodPassword,
  openBrowser,
  signUp,
  tokenOf,
} from '../harness/browser-session.ts'
import { openGithub } from '../harness/github-server.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { openProvider, type ProviderLies } from '../harness/openid-provider.ts'
import { readError } from '../harness/read-error.ts'
import { switchOnTwoFactor } from '../harness/sign-in-methods.ts'
import { type Helix, type HelixOptions, startHelix } from '../harness/start-helix.ts'

type Provider = Awaited<ReturnType<typeof openProvider>>
type Methods = {
  hasPassword: boolean
  identities: { id: string; provider: string | null; name: string; email: string | null }[]
}
type Entered = {
  account: { email: string; emailVerified: boolean; name: string | null } | null
  firstKey?: { key: string }
  secondStep?: { token: string }
}

let provider: Provider
beforeEach(async () => {
  provider = await openProvider()
  return provider.close
})

const answer = async <Answer>(response: Response | Promise<Response>): Promise<Answer> =>
  (await (await response).json()) as Answer

const start = async (config: HelixOptions['config'] = {}): Promise<{ helix: Helix; owner: BrowserSession }> => {
  const helix = await startHelix({ config: { ...provider.settings, signUpsPerHour: 100, ...config } })
  return { helix, owner: await claimServer(helix) }
}

/** Leaves for the provider, as the page does, and comes back with what it said. */
const visitProvider = async (browser: BrowserSession, path = '/sign-in/providers/oidc', body: unknown = {}) => {
  const { url } = await answer<{ url: string }>(browser.post(`${path}/begin`, body))
  const response = await fetch(url, { redirect: 'manual' })
  const back = new URL(response.headers.get('location') ?? 'about:blank')
  const reply = Object.fromEntries(back.searchParams) as { state: string; code?: string; error?: string }
  return { url: new URL(url), back, reply }
}
const enter = async (browser: BrowserSession, path = '/sign-in/providers/oidc', body: unknown = {}) => {
  const { reply } = await visitProvider(browser, path, body)
  return browser.post(`${path}/finish`, reply)
}
const connectPath = '/account/identities/oidc'
const methods = (browser: BrowserSession) => answer<Methods>(browser.get('/account/sign-in-methods'))
const nobodyIsIn = async (browser: BrowserSession) => expect((await browser.load()).account).toBeNull()

test('a new user gets an account and a key, and is recognised the next time', async () => {
  const { helix } = await start()
  const browser = await openBrowser(helix.url)
  const session = (await browser.load()) as unknown as { providers: unknown }
  expect(session.providers).toEqual([{ id: 'oidc', name: 'Example ID' }])
  const response = await enter(browser, undefined, { language: 'ja' })
  expect(response.status).toBe(200)
  const { account, firstKey } = await answer<Entered>(response)
  expect(account).toMatchObject({ email: 'ann@example.com', emailVerified: true, name: 'Ann', language: 'ja' })
  const headers = { authorization: `Bearer ${firstKey?.key}` }
  expect((await fetch(`${helix.baseUrl}/models`, { headers })).status).toBe(200)
  expect(await methods(browser)).toMatchObject({
    hasPassword: false,
    identities: [{ provider: 'oidc', name: 'Example ID', email: 'ann@example.com' }],
  })
  // Known by the subject: the email there may change.
  provider.state.person = { sub: 'ann', email: 'other@example.com', email_verified: true }
  const again = await answer<Entered>(enter(await openBrowser(helix.url)))
  expect(again.account).toMatchObject({ email: 'ann@example.com' })
  expect(again.firstKey).toBeUndefined()
})

test('the authorization request contains state, nonce and code challenge', async () => {
  const { helix } = await start()
  const { url, back } = await visitProvider(await openBrowser(helix.url))
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'helix',
    redirect_uri: `${helix.url}/callback/oidc`,
    scope: 'openid email profile',
    state: expect.stringMatching(/^enter\.[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
  expect(back.pathname).toBe('/callback/oidc')
})

const seconds = () => Math.floor(Date.now() / 1000)

test.each<[string, ProviderLies]>([
  ['is not signed', { signature: 'none' }],
  ['is signed by somebody else', { signature: 'other key' }],
  ['is signed with the public key for a secret', { signature: 'shared secret' }],
  ['has expired', { claims: (claims) => ({ ...claims, exp: seconds() - 120 }) }],
  ['answers another question', { claims: (claims) => ({ ...claims, nonce: 'another' }) }],
  ['answers no question', { claims: ({ nonce, ...claims }) => claims }],
  ['is for another client', { claims: (claims) => ({ ...claims, aud: 'somebody' }) }],
  ['is of another issuer', { claims: (claims) => ({ ...claims, iss: 'https://evil.example.com' }) }],
  ['names nobody', { claims: ({ sub, ...claims }) => claims }],
])('a token that %s signs nobody in, makes nothing, and the log says why', async (_, lies) => {
  const { helix, owner } = await start()
  provider.state.lies = lies
  const browser = await openBrowser(helix.url)
  const response = await enter(browser)
  expect(response.status).toBe(502)
  expect(await readError(response)).toMatchObject({
    code: 'provider_failed',
    message: expect.stringContaining('Example ID'),
  })
  await nobodyIsIn(browser)
  expect((await answer<{ data: unknown[] }>(owner.get('/admin/accounts'))).data).toHaveLength(1)
  const { cause } = await helix.logged({ event: 'request_failed' })
  expect(cause).toMatch(/^oidc: (the|userinfo)/)
  expect(String(cause)).not.toContain('ann')
})

test.each(['discovery', 'token', 'keys'] as const)(
  'a provider that is down (%s) is an error that says so, and nothing is partially created',
  async (broken) => {
    const { helix, owner } = await start()
    const browser = await openBrowser(helix.url)
    provider.state.lies = { broken }
    const response = broken === 'discovery' ? await browser.post('/sign-in/providers/oidc/begin') : await enter(browser)
    expect(response.status).toBe(502)
    expect(await readError(response)).toMatchObject({ code: 'provider_failed' })
    await nobodyIsIn(browser)
    expect((await answer<{ data: unknown[] }>(owner.get('/admin/accounts'))).data).toHaveLength(1)
    // Once it is up again the same browser gets in.
    provider.state.lies = {}
    expect((await enter(browser)).status).toBe(200)
  },
)

test('a provider that fails during a sign-in is an error that says so', async () => {
  const { helix } = await start()
  const browser = await openBrowser(helix.url)
  const { reply } = await visitProvider(browser)
  await provider.close()
  const response = await browser.post('/sign-in/providers/oidc/finish', reply)
  expect(response.status).toBe(502)
  await nobodyIsIn(browser)
  // `close` is called again after the test.
  provider = await openProvider()
})

test.each([
  ['access_denied', 403, 'provider_denied'],
  ['server_error', 502, 'provider_failed'],
])('the provider redirects back with %s', async (refuses, status, code) => {
  const { helix } = await start()
  provider.state.lies = { refuses }
  const browser = await openBrowser(helix.url)
  const response = await enter(browser)
  expect(response.status).toBe(status)
  expect(await readError(response)).toMatchObject({ code })
  await nobodyIsIn(browser)
})

test('a response works once, for the browser that started, for the same provider, and for ten minutes', async () => {
  const { helix } = await start()
  const [ann, eve] = [await openBrowser(helix.url), await openBrowser(helix.url)]
  const mismatch = async (browser: BrowserSession, reply: unknown, id = 'oidc') =>
    readError(await browser.post(`/sign-in/providers/${id}/finish`, reply))
  const first = await visitProvider(ann)
  // Eve's own sign-in, put into Ann's browser, would make Ann work in Eve's account.
  expect(await mismatch(eve, first.reply)).toMatchObject({ code: 'provider_state_mismatch' })
  expect(await mismatch(ann, first.reply)).toMatchObject({ code: 'provider_state_mismatch' })
  const second = await visitProvider(ann)
  expect(await mismatch(ann, { ...second.reply, state: 'enter.made-up' })).toMatchObject({
    code: 'provider_state_mismatch',
  })
  expect((await ann.post('/sign-in/providers/oidc/finish', second.reply)).status).toBe(200)
  await ann.post('/sign-out')
  await ann.load()
  expect(await mismatch(ann, second.reply)).toMatchObject({ code: 'provider_state_mismatch' })
  expect(await mismatch(ann, second.reply, 'google')).toMatchObject({ code: 'not_found' })
  await nobodyIsIn(ann)
})

test('a browser without a cookie of its own gets in with no other browser’s response', async () => {
  const { helix } = await start()
  const [ann, eve] = [await signUp(helix.url, 'ann2@example.com'), await signUp(helix.url, 'eve@example.com')]
  for (const { cookies } of [ann, eve]) cookies.delete('helix_visit')
  const { reply } = await visitProvider(eve)
  expect(await readError(await ann.post('/sign-in/providers/oidc/finish', reply))).toMatchObject({
    code: 'provider_state_mismatch',
  })
})

test('a response after more than ten minutes is refused', async () => {
  const clock = createManualClock()
  const punctual = await openProvider({ clock })
  onTestFinished(punctual.close)
  const helix = await startHelix({ clock, config: punctual.settings })
  await claimServer(helix)
  const ann = await openBrowser(helix.url)
  const { reply } = await visitProvider(ann)
  clock.advance(600_000)
  const late = await ann.post('/sign-in/providers/oidc/finish', reply)
  expect(await readError(late)).toMatchObject({ code: 'provider_state_mismatch' })
})

test('a stolen code is useless without the secrets of the server', async () => {
  const { helix } = await start()
  const { reply } = await visitProvider(await openBrowser(helix.url))
  const eve = await openBrowser(helix.url)
  const own = await visitProvider(eve)
  const response = await eve.post('/sign-in/providers/oidc/finish', { state: own.reply.state, code: reply.code })
  expect(response.status).toBe(502)
  await nobodyIsIn(eve)
})

test('a sign-in finds rotated keys of the provider, which are fetched at most every ten seconds', async () => {
  const clock = createManualClock()
  const rotating = await openProvider({ clock })
  onTestFinished(rotating.close)
  const helix = await startHelix({ clock, config: { ...rotating.settings, signUpsPerHour: 100 } })
  await claimServer(helix)
  expect((await enter(await openBrowser(helix.url))).status).toBe(200)
  rotating.changeKeys()
  // Fetched a moment ago: otherwise anyone could make us flood the provider with requests.
  expect((await enter(await openBrowser(helix.url))).status).toBe(502)
  clock.advance(10_000)
  expect((await enter(await openBrowser(helix.url))).status).toBe(200)
})

test('an email from the userinfo endpoint is accepted, if it is of the same subject', async () => {
  const { helix } = await start()
  provider.state.lies = { hidesEmail: true, otherSubject: 'bob' }
  expect((await enter(await openBrowser(helix.url))).status).toBe(502)
  provider.state.lies = { hidesEmail: true }
  expect(await answer(enter(await openBrowser(helix.url)))).toMatchObject({ account: { email: 'ann@example.com' } })
})

test('without an email no account is created', async () => {
  const { helix } = await start()
  for (const email of [undefined, 'no email', 'a@b@c']) {
    provider.state.person = { sub: 'zoe', ...(email === undefined ? {} : { email, email_verified: true }) }
    const response = await enter(await openBrowser(helix.url))
    expect(response.status).toBe(409)
    expect(await readError(response)).toMatchObject({ code: 'identity_without_email' })
  }
})

test.each([
  { here: true, there: true, status: 200 },
  { here: false, there: true, status: 409 },
  { here: true, there: false, status: 409 },
  { here: true, there: 'false', status: 409 },
])(
  'an identity is connected by its email only if both sides verified it: here $here, there $there',
  async ({ here, there, status }) => {
    const { helix, owner } = await start()
    const ann = await signUp(helix.url, 'ann@example.com')
    if (here) {
      const made = await owner.post('/admin/links', { kind: 'email_verification', email: 'ann@example.com' })
      const { url } = await answer<{ url: string }>(made)
      expect((await ann.post('/email-verification', { token: tokenOf(url) })).status).toBe(204)
    }
    provider.state.person = { sub: 'ann', email: 'Ann@Example.com', email_verified: there }
    const browser = await openBrowser(helix.url)
    const response = await enter(browser)
    expect(response.status).toBe(status)
    if (status === 200) expect(await response.json()).toMatchObject({ account: { email: 'ann@example.com' } })
    else {
      expect(await readError(response)).toMatchObject({ code: 'identity_email_taken' })
      expect((await methods(ann)).identities).toEqual([])
      await nobodyIsIn(browser)
    }
  },
)

test('a provider replaces the password only: a code is still required', async () => {
  const { helix } = await start()
  const browser = await openBrowser(helix.url)
  await enter(browser)
  await browser.load()
  const { secret } = await switchOnTwoFactor(browser)
  const other = await openBrowser(helix.url)
  const { account, secondStep } = await answer<Entered>(enter(other))
  expect(account).toBeNull()
  await nobodyIsIn(other)
  const body = { token: secondStep?.token, code: appCode(secret, Date.now(), 1) }
  expect((await other.post('/sign-in/code', body)).status).toBe(200)
})

test('with closed sign-up only known users can sign in', async () => {
  const { helix, owner } = await start({ signUp: 'closed' })
  expect((await enter(owner, connectPath)).status).toBe(204)
  const known = await openBrowser(helix.url)
  expect(await answer(enter(known))).toMatchObject({ account: { email: 'owner@example.com' } })
  provider.state.person = { sub: 'zoe', email: 'zoe@example.com', email_verified: true }
  const response = await enter(await openBrowser(helix.url))
  expect(await readError(response)).toMatchObject({ code: 'sign_up_closed' })
})

test('with sign-up by invitation one is required, and is used up', async () => {
  const { helix, owner } = await start({ signUp: 'invitation' })
  const browser = await openBrowser(helix.url)
  expect(await readError(await enter(browser))).toMatchObject({ code: 'invitation_needed' })
  const made = await owner.post('/admin/links', { kind: 'invitation', email: 'ann@example.com' })
  const invitation = tokenOf((await answer<{ url: string }>(made)).url)
  expect((await enter(browser, undefined, { invitation })).status).toBe(200)
  provider.state.person = { sub: 'zoe', email: 'zoe@example.com', email_verified: true }
  const again = await enter(await openBrowser(helix.url), undefined, { invitation })
  expect(again.status).toBeGreaterThanOrEqual(400)
})

test('a user connects a provider, signs in with it, and disconnects it', async () => {
  const { helix, owner } = await start()
  expect((await enter(owner, connectPath)).status).toBe(204)
  const [identity] = (await methods(owner)).identities
  expect(identity).toMatchObject({ provider: 'oidc', email: 'ann@example.com' })
  expect(await answer(enter(await openBrowser(helix.url)))).toMatchObject({ account: { email: 'owner@example.com' } })
  // The same once more is no fault; another person there is.
  expect((await enter(owner, connectPath)).status).toBe(204)
  provider.state.person = { sub: 'zoe', email: 'zoe@example.com', email_verified: true }
  expect(await readError(await enter(owner, connectPath))).toMatchObject({ code: 'identity_another' })
  expect((await owner.post(`/account/identities/${identity?.id}/remove`)).status).toBe(204)
  expect((await owner.post(`/account/identities/${identity?.id}/remove`)).status).toBe(404)
  expect((await methods(owner)).identities).toEqual([])
})

test('an identity cannot be connected to two accounts, and a response cannot be used for the other purpose', async () => {
  const { helix, owner } = await start()
  const ann = await openBrowser(helix.url)
  await enter(ann)
  expect(await readError(await enter(owner, connectPath))).toMatchObject({ code: 'identity_taken' })
  const asked = await visitProvider(owner, connectPath)
  expect(asked.url.searchParams.get('state')).toMatch(/^connect\./)
  const crossed = await owner.post('/sign-in/providers/oidc/finish', asked.reply)
  expect(await readError(crossed)).toMatchObject({ code: 'provider_state_mismatch' })
  const entering = await visitProvider(owner)
  const other = await owner.post(`${connectPath}/finish`, entering.reply)
  expect(await readError(other)).toMatchObject({ code: 'provider_state_mismatch' })
})

test('the only sign-in method cannot be removed; with a password it can', async () => {
  const { helix } = await start()
  const ann = await openBrowser(helix.url)
  await enter(ann)
  await ann.load()
  const [identity] = (await methods(ann)).identities
  const remove = () => ann.post(`/account/identities/${identity?.id}/remove`)
  const refused = await remove()
  expect(refused.status).toBe(409)
  expect(await readError(refused)).toMatchObject({ code: 'last_sign_in_method' })
  expect((await ann.post('/account/password', { newPassword: goodPassword })).status).toBe(204)
  expect((await methods(ann)).hasPassword).toBe(true)
  expect((await remove()).status).toBe(204)
  expect((await (await openBrowser(helix.url)).signIn('ann@example.com')).status).toBe(200)
  // From now on the password is needed to change it.
  const change = { newPassword: 'walnut orchard radio' }
  expect(await readError(await ann.post('/account/password', change))).toMatchObject({ code: 'wrong_password' })
})

test('an account without a password can be deleted soon after its sign-in', async () => {
  const { helix } = await start()
  const ann = await openBrowser(helix.url)
  await enter(ann)
  await ann.load()
  expect((await ann.post('/account/delete', {})).status).toBe(204)
  await nobodyIsIn(ann)
})

test('GitHub: users are identified by the id from its API, not by their login', async () => {
  const github = await openGithub()
  onTestFinished(github.close)
  const { helix } = await start(github.settings)
  const path = '/sign-in/providers/github'
  const ann = await openBrowser(helix.url)
  expect(await answer(enter(ann, path))).toMatchObject({
    account: { email: 'octo@example.com', emailVerified: true, name: 'octo' },
  })
  github.state.user = { id: 583231, login: 'renamed', name: 'Octo' }
  expect(await answer(enter(await openBrowser(helix.url), path))).toMatchObject({
    account: { email: 'octo@example.com' },
  })
  // Somebody else who took the old name and tells an address that is not verified.
  github.state.user = { id: 1, login: 'octo', name: null }
  github.state.emails = [{ email: 'octo@example.com', primary: true, verified: false }]
  expect(await readError(await enter(await openBrowser(helix.url), path))).toMatchObject({
    code: 'identity_email_taken',
  })
  github.state.emails = []
  expect(await readError(await enter(await openBrowser(helix.url), path))).toMatchObject({
    code: 'identity_without_email',
  })
  const { reply } = await visitProvider(ann, path)
  const wrong = await ann.post(`${path}/finish`, { ...reply, code: 'made up' })
  expect(wrong.status).toBe(502)
})

test('without configured providers there are none', async () => {
  const helix = await startHelix()
  const owner = await claimServer(helix)
  expect(await owner.load()).toMatchObject({ providers: [] })
  expect((await owner.post('/sign-in/providers/github/begin')).status).toBe(404)
})
