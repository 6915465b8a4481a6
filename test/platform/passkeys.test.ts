import { expect, test } from 'vitest'
import { appCode } from '../harness/authenticator-app.ts'
import { type BrowserSession, claimServer, goodPassword, openBrowser } from '../harness/browser-session.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { createAuthenticator, type Lies } from '../harness/software-authenticator.ts'
import { type Helix, type HelixOptions, startHelix } from '../harness/start-helix.ts'

const email = 'owner@example.com'
type Authenticator = ReturnType<typeof createAuthenticator>
type NewQuestion = Parameters<Authenticator['make']>[0] & { excludeCredentials: { id: string }[] }
type Question = Parameters<Authenticator['use']>[0] & { allowCredentials: { id: string }[]; userVerification: string }
type Methods = { passkeys: { id: string; name: string; createdAt: number; lastUsedAt: number | null }[] }

const answer = async <Answer>(response: Response | Promise<Response>): Promise<Answer> =>
  (await (await response).json()) as Answer

/** Passkeys belong to a name, and 127.0.0.1 is none. */
const startNamed = async (options: HelixOptions = {}): Promise<Helix> => {
  const helix = await startHelix({ ...options, config: { host: 'localhost', ...options.config } })
  return helix
}

const add = async (browser: BrowserSession, authenticator: Authenticator, lies: Lies = {}, name = 'Laptop') => {
  const question = await answer<NewQuestion>(browser.post('/account/passkeys/question'))
  return browser.post('/account/passkeys', { name, ...authenticator.make(question, lies) })
}
const ask = (browser: BrowserSession) => answer<Question>(browser.post('/sign-in/passkey/question'))
const methods = (browser: BrowserSession) => answer<Methods>(browser.get('/account/sign-in-methods'))

const openScene = async () => {
  const clock = createManualClock()
  const helix = await startNamed({ clock })
  const owner = await claimServer(helix)
  const authenticator = createAuthenticator(helix.url)
  expect((await add(owner, authenticator)).status).toBe(201)
  const visitor = await openBrowser(helix.url)
  const signIn = async (lies: Lies = {}) =>
    visitor.post('/sign-in/passkey', authenticator.use(await ask(visitor), lies))
  return { clock, helix, owner, authenticator, visitor, signIn }
}

test('a passkey signs in without email and password, repeatedly', async () => {
  const { clock, owner, visitor, signIn } = await openScene()
  const question = await ask(visitor)
  expect(question).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] })
  const response = await signIn()
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ account: { email } })
  expect((await visitor.get('/keys')).status).toBe(200)
  expect((await methods(owner)).passkeys).toEqual([
    { id: expect.stringMatching(/^pky_/), name: 'Laptop', createdAt: clock.now(), lastUsedAt: clock.now() },
  ])
  await visitor.post('/sign-out')
  await visitor.load()
  expect((await signIn()).status).toBe(200)
})

test.each<[string, Lies]>([
  ['made on the page of another site', { origin: 'https://evil.example.com' }],
  ['bound to another host', { rpId: 'evil.example.com' }],
  ['an answer to a question that nobody asked', { challenge: 'bWFkZSB1cA' }],
  ['an answer for making one, used for signing in', { type: 'webauthn.create' }],
  ['asked for in the frame of another site', { crossOrigin: true }],
  ['used while nobody proved to be there', { userVerified: false }],
  ['signed with another key', { otherKey: true }],
  ['of an authenticator that was copied: its counter does not move on', { counter: 1 }],
  ['said to be somebody else’s', { userHandle: 'dXNyX290aGVy' }],
  ['said to be nobody’s', { userHandle: null }],
])('a passkey is refused that is %s', async (_, lies) => {
  const { visitor, signIn } = await openScene()
  const response = await signIn(lies)
  expect(response.status).toBe(400)
  expect(await readError(response)).toMatchObject({ code: 'invalid_passkey' })
  expect((await visitor.get('/keys')).status).toBe(401)
})

test('a challenge works once and for five minutes, and a response cannot be replayed', async () => {
  const { clock, authenticator, visitor } = await openScene()
  const question = await ask(visitor)
  const used = authenticator.use(question)
  expect((await visitor.post('/sign-in/passkey', used)).status).toBe(200)
  await visitor.post('/sign-out')
  await visitor.load()
  expect((await visitor.post('/sign-in/passkey', used)).status).toBe(400)
  expect((await visitor.post('/sign-in/passkey', authenticator.use(question))).status).toBe(400)
  const late = await ask(visitor)
  clock.advance(300_000)
  expect((await visitor.post('/sign-in/passkey', authenticator.use(late))).status).toBe(400)
})

test('the same response sent twice at once opens one session', async () => {
  const { authenticator, visitor } = await openScene()
  const used = authenticator.use(await ask(visitor))
  const answers = await Promise.all([1, 2].map(() => visitor.post('/sign-in/passkey', used)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('authenticators without a counter may always send zero', async () => {
  const { helix, owner, visitor } = await openScene()
  const synced = createAuthenticator(helix.url, { counts: false })
  expect((await add(owner, synced, {}, 'Phone')).status).toBe(201)
  for (let n = 0; n < 2; n += 1)
    expect((await visitor.post('/sign-in/passkey', synced.use(await ask(visitor)))).status).toBe(200)
})

test('a passkey counts as both factors: no code is asked for after it', async () => {
  const { clock, owner, signIn, helix } = await openScene()
  const { secret } = await answer<{ secret: string }>(owner.post('/account/two-factor/begin'))
  await owner.post('/account/two-factor/confirm', { code: appCode(secret, clock.now()) })
  const byPassword = await answer<{ secondStep: unknown }>((await openBrowser(helix.url)).signIn(email))
  expect(byPassword.secondStep).toMatchObject({ hasPasskeys: true })
  expect(await answer(signIn())).toMatchObject({ account: { email } })
})

test.each<[string, Lies]>([
  ['another site', { origin: 'https://evil.example.com' }],
  ['another host', { rpId: 'evil.example.com' }],
  ['another question', { challenge: 'bWFkZSB1cA' }],
  ['another purpose', { type: 'webauthn.get' }],
  ['nobody there', { userVerified: false }],
])('a new passkey is refused: %s', async (_, lies) => {
  const helix = await startNamed()
  const owner = await claimServer(helix)
  const response = await add(owner, createAuthenticator(helix.url), lies)
  expect(response.status).toBe(400)
  expect(await readError(response)).toMatchObject({ code: 'invalid_passkey' })
  expect((await methods(owner)).passkeys).toEqual([])
})

test('malformed passkeys are refused, and are not an error of the server', async () => {
  const { owner, visitor } = await openScene()
  const nonsense = { id: 'x', clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' }
  expect((await visitor.post('/sign-in/passkey', nonsense)).status).toBe(400)
  const question = await answer<NewQuestion>(owner.post('/account/passkeys/question'))
  const clientDataJSON = Buffer.from(JSON.stringify({ challenge: question.challenge })).toString('base64url')
  const body = { name: 'x', id: 'x', clientDataJSON, attestationObject: 'oA', transports: [] }
  expect(await readError(await owner.post('/account/passkeys', body))).toMatchObject({ code: 'invalid_passkey' })
})

test('an account has several named passkeys; the same one cannot be added twice', async () => {
  const { helix, owner, authenticator } = await openScene()
  const key = createAuthenticator(helix.url)
  expect((await add(owner, key, {}, ' Key ring ')).status).toBe(201)
  const question = await answer<NewQuestion>(owner.post('/account/passkeys/question'))
  expect(question.excludeCredentials.map(({ id }) => id)).toEqual([authenticator.id, key.id])
  expect((await add(owner, key)).status).toBe(400)
  const nameless = await add(owner, createAuthenticator(helix.url), {}, ' ')
  expect(await readError(nameless)).toMatchObject({ param: 'name' })
  const { passkeys } = await methods(owner)
  expect(passkeys.map(({ name }) => name)).toEqual(['Laptop', 'Key ring'])
  const [first] = passkeys
  expect((await owner.post(`/account/passkeys/${first?.id}/rename`, { name: 'Old laptop' })).status).toBe(204)
  expect((await methods(owner)).passkeys[0]).toMatchObject({ name: 'Old laptop' })
})

test('a removed passkey no longer signs in', async () => {
  const { owner, signIn } = await openScene()
  const [passkey] = (await methods(owner)).passkeys
  expect((await owner.post(`/account/passkeys/${passkey?.id}/remove`)).status).toBe(204)
  expect((await owner.post(`/account/passkeys/${passkey?.id}/remove`)).status).toBe(404)
  expect((await signIn()).status).toBe(400)
})

test('passkeys can be used and changed by their owner only', async () => {
  const { helix, owner, authenticator } = await openScene()
  const anna = await openBrowser(helix.url)
  await anna.post('/sign-up', { email: 'anna@example.com', password: goodPassword })
  await anna.load()
  const [passkey] = (await methods(owner)).passkeys
  expect((await anna.post(`/account/passkeys/${passkey?.id}/rename`, { name: 'Mine' })).status).toBe(404)
  expect((await anna.post(`/account/passkeys/${passkey?.id}/remove`)).status).toBe(404)
  // A question that was put to one person is not answered by another.
  const question = await answer<NewQuestion>(owner.post('/account/passkeys/question'))
  const made = createAuthenticator(helix.url).make(question)
  expect((await anna.post('/account/passkeys', { name: 'x', ...made })).status).toBe(400)
  const asked = await answer<Question>(anna.post('/account/confirm/passkey/question'))
  expect((await anna.post('/account/confirm/passkey', authenticator.use(asked))).status).toBe(400)
})

test('a passkey confirms the identity of a signed-in user, also instead of the password', async () => {
  const { clock, owner, authenticator } = await openScene()
  clock.advance(600_000)
  expect((await owner.post('/account/passkeys/question')).status).toBe(403)
  const question = await answer<Question>(owner.post('/account/confirm/passkey/question'))
  expect(question.allowCredentials.map(({ id }) => id)).toEqual([authenticator.id])
  const used = authenticator.use(question)
  expect((await owner.post('/account/confirm/passkey', used)).status).toBe(204)
  expect((await owner.post('/account/confirm/passkey', used)).status).toBe(400)
  expect((await owner.post('/account/passkeys/question')).status).toBe(200)
  expect((await owner.post('/account/delete', {})).status).toBe(204)
})

test('a recent sign-in with a password is not enough to delete the account without entering it', async () => {
  const helix = await startNamed()
  const owner = await claimServer(helix)
  expect(await readError(await owner.post('/account/delete', {}))).toMatchObject({ code: 'wrong_password' })
})

test('passkeys are not available on an IP address, with an error that says so', async () => {
  const helix = await startHelix()
  const owner = await claimServer(helix)
  for (const path of ['/account/passkeys/question', '/sign-in/passkey/question']) {
    const response = await owner.post(path)
    expect(response.status).toBe(409)
    expect(await readError(response)).toMatchObject({ code: 'passkeys_unavailable' })
  }
})
