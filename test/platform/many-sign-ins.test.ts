import { expect, test } from 'vitest'
import { type BrowserSession, claimServer, goodPassword, openBrowser } from '../harness/browser-session.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { startHelix } from '../harness/start-helix.ts'

const email = 'owner@example.com'

test('successful sign-ins are limited too, and existing sessions are not affected', async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock })
  const owner = await claimServer(helix)
  const browser = await openBrowser(helix.url)
  // Wrong ones use up none of them.
  for (let count = 0; count < 5; count += 1) expect((await browser.signIn(email, 'a wrong one')).status).toBe(401)
  for (let count = 0; count < 30; count += 1) expect((await browser.signIn(email)).status).toBe(200)
  const refused = await browser.signIn(email)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('30')
  expect(await readError(refused)).toMatchObject({ code: 'too_many_attempts' })
  expect((await browser.get('/keys')).status).toBe(200)
  expect((await owner.get('/keys')).status).toBe(200)
  clock.advance(30_000)
  expect((await browser.signIn(email)).status).toBe(200)
})

test('an account cannot have its own password checked without end, however many sessions it has', async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock })
  const owner = await claimServer(helix)
  const laptop = await openBrowser(helix.url)
  await laptop.signIn(email)
  const confirm = (browser: BrowserSession, password = goodPassword) => browser.post('/account/confirm', { password })
  // Wrong ones use up none of them.
  for (let count = 0; count < 5; count += 1) expect((await confirm(owner, 'a wrong one')).status).toBe(400)
  for (let count = 0; count < 15; count += 1)
    for (const browser of [owner, laptop]) expect((await confirm(browser)).status).toBe(204)
  for (const browser of [owner, laptop]) {
    const refused = await confirm(browser)
    expect(refused.status).toBe(429)
    expect(await readError(refused)).toMatchObject({ code: 'too_many_attempts' })
    expect((await browser.get('/keys')).status).toBe(200)
  }
  clock.advance(30_000)
  expect((await confirm(laptop)).status).toBe(204)
})

test('a visit cookie that the server did not issue is replaced, not remembered', async () => {
  const helix = await startHelix()
  await claimServer(helix)
  const browser = await openBrowser(helix.url)
  for (const forged of ['x'.repeat(15_000), 'short', `${browser.cookies.get('helix_visit')}x`]) {
    const response = await browser.get('/session', { cookie: `helix_visit=${forged}` })
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^helix_visit=[\w-]{43};/)])
  }
  const kept = await browser.get('/session')
  expect(kept.headers.getSetCookie()).toEqual([])
})

test('what is longer than any password or code is refused before anything is compared', async () => {
  const helix = await startHelix()
  const owner = await claimServer(helix)
  const long = '\u0316\u0301'.repeat(1_000)
  const refused = [
    await owner.signIn(email, long),
    await owner.post('/account/confirm', { code: long }),
    await owner.post('/account/two-factor/confirm', { code: long }),
    await owner.post('/account/password', { currentPassword: long, newPassword: 'a much better one' }),
  ]
  for (const response of refused) expect(await readError(response)).toMatchObject({ code: 'string_above_max_length' })
  expect(
    await readError(await owner.post('/sign-up', { email: `a@${long}.com`, password: goodPassword })),
  ).toMatchObject({
    code: 'invalid_email',
  })
})
