import { expect, test } from 'vitest'
import { claimServer, openBrowser, signUp } from '../harness/browser-session.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { startHelix } from '../harness/start-helix.ts'

const email = 'owner@example.com'
const dayMs = 24 * 3_600_000

test('signing in opens a session, and signing out ends it on the server too', async () => {
  const helix = await startHelix()
  await claimServer(helix)
  const browser = await openBrowser(helix.url)
  const response = await browser.signIn('OWNER@example.com ')
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    account: expect.objectContaining({ email, isOwner: true }),
    organisation: { id: expect.stringMatching(/^org_/), name: 'owner', createdAt: expect.any(Number) },
  })
  const stolen = browser.cookies.get('helix_session') ?? ''
  expect((await browser.post('/sign-out')).status).toBe(204)
  expect(browser.cookies.has('helix_session')).toBe(false)
  expect((await browser.load()).account).toBeNull()
  expect((await browser.get('/keys', { cookie: `helix_session=${stolen}` })).status).toBe(401)
})

test('an unknown email and a wrong password get the same error', async () => {
  const helix = await startHelix()
  await claimServer(helix)
  const browser = await openBrowser(helix.url)
  const answers = []
  for (const who of [email, 'nobody@example.com', 'no email at all']) {
    const response = await browser.signIn(who, 'a wrong password')
    answers.push({
      status: response.status,
      error: await readError(response),
      cookies: response.headers.getSetCookie(),
    })
  }
  expect(answers[0]).toMatchObject({ status: 401, error: { code: 'wrong_credentials', param: null }, cookies: [] })
  expect(answers[1]).toEqual(answers[0])
  expect(answers[2]).toEqual(answers[0])
})

test('a sign-in replaces the previous session of the browser', async () => {
  const helix = await startHelix()
  const owner = await claimServer(helix)
  const before = owner.cookies.get('helix_session') ?? ''
  expect((await owner.signIn(email)).status).toBe(200)
  expect(owner.cookies.get('helix_session')).not.toBe(before)
  expect((await owner.get('/keys', { cookie: `helix_session=${before}` })).status).toBe(401)
  const { data } = (await (await owner.get('/account/sessions')).json()) as { data: unknown[] }
  expect(data).toHaveLength(1)
})

test('a session in use is extended; one that is unused for thirty days expires', async () => {
  const clock = createManualClock()
  const owner = await claimServer(await startHelix({ clock }))
  for (let month = 0; month < 3; month += 1) {
    clock.advance(30 * dayMs - 1)
    const response = await owner.get('/keys')
    expect(response.status).toBe(200)
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^helix_session=.*Max-Age=2592000/),
      expect.stringMatching(/^helix_signed_in=1; .*Max-Age=2592000/),
    ])
  }
  expect((await owner.get('/keys')).headers.getSetCookie()).toEqual([])
  clock.advance(30 * dayMs)
  const response = await owner.get('/keys')
  expect(response.status).toBe(401)
  expect(await readError(response)).toMatchObject({ code: 'not_signed_in' })
  expect((await owner.load()).account).toBeNull()
})

const startBehindProxy = async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock, config: { trustedProxies: ['loopback'], signUpsPerHour: 100 } })
  const owner = await claimServer(helix)
  const from = (address: string) => openBrowser(helix.url, { 'x-forwarded-for': address })
  return { helix, owner, clock, from }
}

test('after ten wrong passwords an address has to wait, and the error says how long', async () => {
  const { from, clock, owner } = await startBehindProxy()
  const attacker = await from('192.0.2.1')
  for (let n = 0; n < 10; n += 1) expect((await attacker.signIn(email, `wrong password ${n}`)).status).toBe(401)
  const eleventh = await attacker.signIn(email)
  expect(eleventh.status).toBe(429)
  expect(eleventh.headers.get('retry-after')).toBe('90')
  expect(await readError(eleventh)).toMatchObject({ code: 'too_many_attempts' })
  // Whoever is signed in notices nothing, and elsewhere the right password works.
  expect((await owner.get('/keys')).status).toBe(200)
  expect((await (await from('192.0.2.2')).signIn(email)).status).toBe(200)
  clock.advance(90_000)
  expect((await attacker.signIn(email, 'wrong again, sorry')).status).toBe(401)
  expect((await attacker.signIn(email)).status).toBe(429)
})

test('unknown emails are limited like known ones', async () => {
  const { from } = await startBehindProxy()
  const attacker = await from('192.0.2.1')
  for (let n = 0; n < 10; n += 1) await attacker.signIn('nobody@example.com')
  expect((await attacker.signIn('nobody@example.com')).status).toBe(429)
})

test('tries at the same time do not pass the limit together', async () => {
  const { from } = await startBehindProxy()
  const browsers = await Promise.all(Array.from({ length: 20 }, () => from('192.0.2.1')))
  const answers = await Promise.all(browsers.map((browser) => browser.signIn(email, 'a wrong password')))
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
})

test('a known browser can sign in even if its own network is flooding', async () => {
  const { from } = await startBehindProxy()
  const owner = await from('192.0.2.1')
  await owner.signIn(email)
  await owner.post('/sign-out')
  await owner.load()
  const attacker = await from('192.0.2.1')
  for (let n = 0; n < 10; n += 1) await attacker.signIn(email, 'a wrong password')
  expect((await attacker.signIn(email)).status).toBe(429)
  expect((await owner.signIn(email)).status).toBe(200)
})

test('one address cannot try a list of emails', async () => {
  const { from } = await startBehindProxy()
  const attacker = await from('192.0.2.1')
  for (let n = 0; n < 50; n += 1) expect((await attacker.signIn(`p${n}@example.com`, 'x')).status).toBe(401)
  expect((await attacker.signIn('p50@example.com', 'x')).status).toBe(429)
})

test('an account attacked from many networks responds to unknown browsers a second later, but responds', async () => {
  const { from, clock, helix } = await startBehindProxy()
  await signUp(helix.url, 'other@example.com')
  for (let n = 0; n < 30; n += 1) await (await from(`192.0.2.${n}`)).signIn(email, 'a wrong password')
  const waited = clock.awaited(1_000)
  const signedIn = (await from('198.51.100.1')).signIn(email)
  await waited
  expect((await (await from('198.51.100.2')).signIn('other@example.com')).status).toBe(200)
  clock.advance(1_000)
  expect((await signedIn).status).toBe(200)
})

test('after a session ended elsewhere, the next response removes the signed-in hint', async () => {
  const helix = await startHelix()
  const owner = await claimServer(helix)
  expect(owner.cookies.get('helix_signed_in')).toBe('1')
  const ended = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  await owner.post('/sign-out')
  expect(owner.cookies.has('helix_signed_in')).toBe(false)
  for (const path of ['/keys', '/session']) {
    const response = await fetch(`${helix.url}/platform${path}`, { headers: { cookie: ended } })
    expect(response.headers.getSetCookie()).toContain('helix_signed_in=; Path=/; Max-Age=0; SameSite=Lax')
  }
})
