import { expect, test } from 'vitest'
import { type BrowserSession, claimServer, goodPassword, openBrowser, signUp } from '../harness/browser-session.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { modelName, startHelix } from '../harness/start-helix.ts'

const email = 'owner@example.com'
const newPassword = 'walnut orchard radio'
type SessionRow = {
  id: string
  createdAt: number
  lastSeenAt: number
  address: string
  userAgent: string
  current: boolean
}
const sessionsOf = async (browser: BrowserSession): Promise<SessionRow[]> =>
  ((await (await browser.get('/account/sessions')).json()) as { data: SessionRow[] }).data

test('a new password ends every other session; the current one continues with a new token', async () => {
  const helix = await startHelix()
  const owner = await claimServer(helix)
  const laptop = await openBrowser(helix.url)
  await laptop.signIn(email)
  const before = owner.cookies.get('helix_session') ?? ''
  const change = { currentPassword: goodPassword, newPassword }
  expect((await owner.post('/account/password', change)).status).toBe(204)
  expect(owner.cookies.get('helix_session')).not.toBe(before)
  // The page goes on without loading anew: the answer had the token for it.
  expect((await owner.post('/account/language', { language: 'ja' })).status).toBe(204)
  expect((await owner.load()).account).toMatchObject({ email, language: 'ja' })
  expect((await laptop.load()).account).toBeNull()
  expect((await owner.get('/keys', { cookie: `helix_session=${before}` })).status).toBe(401)
  expect((await laptop.signIn(email, goodPassword)).status).toBe(401)
  expect((await laptop.signIn(email, newPassword)).status).toBe(200)
})

test('a password change needs the current one and a strong new one, and guessing is limited', async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock })
  const owner = await claimServer(helix)
  const change = (currentPassword: string, next = newPassword) =>
    owner.post('/account/password', { currentPassword, newPassword: next })
  expect(await readError(await change(goodPassword, 'short'))).toMatchObject({
    code: 'weak_password',
    param: 'newPassword',
  })
  expect(await readError(await change(goodPassword, email))).toMatchObject({ code: 'weak_password' })
  for (let n = 0; n < 10; n += 1) {
    const response = await change('a wrong password')
    expect(response.status).toBe(400)
    expect(await readError(response)).toMatchObject({ code: 'wrong_password', param: 'currentPassword' })
  }
  expect((await change(goodPassword)).status).toBe(429)
  // Another session of the same person is not held up.
  const laptop = await openBrowser(helix.url)
  await laptop.signIn(email)
  expect((await laptop.post('/account/password', { currentPassword: goodPassword, newPassword })).status).toBe(204)
})

test('users see their sessions, and can end each of them', async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock, config: { trustedProxies: ['loopback'] } })
  const owner = await claimServer(helix)
  const signedUpAt = clock.now()
  clock.advance(60_000)
  const phone = await openBrowser(helix.url, { 'user-agent': 'Phone/1.0', 'x-forwarded-for': '192.0.2.7' })
  await phone.signIn(email)
  const rows = await sessionsOf(owner)
  const common = { id: expect.stringMatching(/^ses_\w{24}$/), lastSeenAt: expect.any(Number) }
  expect(rows).toEqual([
    { ...common, createdAt: clock.now(), address: '192.0.2.7', userAgent: 'Phone/1.0', current: false },
    { ...common, createdAt: signedUpAt, address: '127.0.0.1', userAgent: expect.any(String), current: true },
  ])
  expect((await owner.post(`/account/sessions/${rows[0]?.id}/revoke`)).status).toBe(204)
  expect((await phone.load()).account).toBeNull()
  const again = await owner.post(`/account/sessions/${rows[0]?.id}/revoke`)
  expect(again.status).toBe(404)
  expect((await owner.post(`/account/sessions/${rows[1]?.id}/revoke`)).status).toBe(204)
  expect(owner.cookies.has('helix_session')).toBe(false)
})

test('sessions of other users can be neither seen nor ended', async () => {
  const helix = await startHelix()
  const owner = await claimServer(helix)
  const anna = await signUp(helix.url, 'anna@example.com')
  const [mine] = await sessionsOf(owner)
  expect(await sessionsOf(anna)).toHaveLength(1)
  expect((await anna.post(`/account/sessions/${mine?.id}/revoke`)).status).toBe(404)
  expect((await owner.load()).account).not.toBeNull()
})

test('deleting an account deletes its keys and stored completions, and nothing of others', async () => {
  const helix = await startHelix()
  await claimServer(helix)
  const anna = await signUp(helix.url, 'anna@example.com')
  const ben = await signUp(helix.url, 'ben@example.com')
  const call = (key: string, path: string, body?: unknown) =>
    fetch(helix.baseUrl + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const chat = { model: modelName, messages: [{ role: 'user', content: 'Hi' }], store: true, metadata: { a: 'b' } }
  for (const { firstKey } of [anna, ben]) expect((await call(firstKey.key, '/chat/completions', chat)).status).toBe(200)

  const wrong = await anna.post('/account/delete', { password: 'a wrong password' })
  expect(await readError(wrong)).toMatchObject({ code: 'wrong_password', param: 'password' })
  expect((await call(anna.firstKey.key, '/models')).status).toBe(200)
  expect((await anna.post('/account/delete', { password: goodPassword })).status).toBe(204)
  expect((await call(anna.firstKey.key, '/models')).status).toBe(401)
  expect((await anna.load()).account).toBeNull()
  expect((await anna.signIn('anna@example.com')).status).toBe(401)
  const all = (await helix.control('GET', '/control/keys')) as { data: { id: string }[] }
  expect(all.data.map(({ id }) => id)).not.toContain(anna.firstKey.id)

  const kept = (await (await call(ben.firstKey.key, '/chat/completions')).json()) as { data: unknown[] }
  expect(kept.data).toHaveLength(1)
  // The same email may come back, and finds nothing of before.
  const again = await signUp(helix.url, 'anna@example.com')
  const list = (await (await call(again.firstKey.key, '/chat/completions')).json()) as { data: unknown[] }
  expect(list.data).toEqual([])
})

test('the last owner cannot delete the account while others remain; alone they can, and the server is then unclaimed', async () => {
  const helix = await startHelix()
  const owner = await claimServer(helix)
  const anna = await signUp(helix.url, 'anna@example.com')
  const refused = await owner.post('/account/delete', { password: goodPassword })
  expect(refused.status).toBe(409)
  expect(await readError(refused)).toMatchObject({ code: 'last_owner' })
  await anna.post('/account/delete', { password: goodPassword })
  expect((await owner.post('/account/delete', { password: goodPassword })).status).toBe(204)
  expect(await owner.load()).toMatchObject({ account: null, signUp: 'setup' })
  expect((await helix.get('/v1/models')).status).toBe(401)
  // The command line still makes keys, in an organisation that waits for the next owner.
  expect(await helix.control('POST', '/control/keys', { name: 'next' })).toMatchObject({ state: 'active' })
})

test('the owner lists all accounts', async () => {
  const helix = await startHelix()
  const owner = await claimServer(helix)
  await signUp(helix.url, 'anna@example.com')
  const listed = {
    id: expect.stringMatching(/^usr_/),
    emailVerified: false,
    createdAt: expect.any(Number),
    lastSeenAt: expect.any(Number),
    name: null,
    language: 'en',
    suspendedAt: null,
    hasTwoFactor: false,
    hasPasskeys: false,
  }
  expect(await (await owner.get('/admin/accounts')).json()).toEqual({
    data: [
      { ...listed, email, isOwner: true },
      { ...listed, email: 'anna@example.com', isOwner: false },
    ],
  })
})
