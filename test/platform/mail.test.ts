import { expect, test } from 'vitest'
import { claimServer, goodPassword, openBrowser, signUp, tokenOf } from '../harness/browser-session.ts'
import { startMailServer } from '../harness/mail-server.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { startHelix } from '../harness/start-helix.ts'

const mailFrom = 'Helix <helix@example.com>'
const newPassword = 'walnut orchard radio'

const startWithMail = async (config: { publicUrl?: string } = {}) => {
  const post = await startMailServer()
  const clock = createManualClock()
  const helix = await startHelix({ clock, config: { smtpUrl: post.url, mailFrom, ...config } })
  const owner = await claimServer(helix, { origin: config.publicUrl ?? helix.url })
  return { helix, owner, post, clock }
}
const linkIn = (text: string): string => /https?:\S+/.exec(text)?.[0] ?? ''

test('a new account gets a mail with a link to the public address of the server', async () => {
  const { helix, post } = await startWithMail({ publicUrl: 'https://chat.example.com' })
  const mail = await post.mail()
  expect(mail).toMatchObject({ from: 'helix@example.com', to: ['owner@example.com'] })
  expect(mail.source).toMatch(/^Subject: Confirm your email for Helix$/m)
  expect(linkIn(mail.text)).toMatch(/^https:\/\/chat\.example\.com\/verify#[\w-]{43}$/)
  expect(helix.logLines.join('')).not.toContain('mail_failed')
})

test('opening the link verifies the email, in any browser, once', async () => {
  const { helix, owner, post } = await startWithMail()
  const token = tokenOf(linkIn((await post.mail()).text))
  const elsewhere = await openBrowser(helix.url)
  expect((await elsewhere.post('/email-verification', { token })).status).toBe(204)
  expect((await owner.load()).account).toMatchObject({ emailVerified: true })
  expect(await readError(await elsewhere.post('/email-verification', { token }))).toMatchObject({
    code: 'invalid_link',
  })
})

test('a verification mail can be requested again, five times an hour', async () => {
  const { owner, post } = await startWithMail()
  for (let n = 0; n < 5; n += 1) expect((await owner.post('/email-verification/request')).status).toBe(204)
  const sixth = await owner.post('/email-verification/request')
  expect(sixth.status).toBe(429)
  expect(sixth.headers.get('retry-after')).toBe('720')
  await post.mail(6)
})

test('without a mail server requesting a verification mail is an error that says so', async () => {
  const owner = await claimServer(await startHelix())
  const response = await owner.post('/email-verification/request')
  expect(response.status).toBe(409)
  expect(await readError(response)).toMatchObject({ code: 'mail_not_configured' })
})

test('a forgotten password is reset by the link in a mail, in the language of the account', async () => {
  const { helix, post } = await startWithMail()
  const anna = await signUp(helix.url, 'anna@example.com', { language: 'ja' })
  await post.mail(2)
  const browser = await openBrowser(helix.url)
  expect((await browser.post('/password-reset/request', { email: ' Anna@Example.com' })).status).toBe(204)
  const { text, to } = await post.mail(3)
  expect(to).toEqual(['anna@example.com'])
  expect(text).toContain('新しいパスワードを設定してください')
  expect(linkIn(text)).toContain(`${helix.server.siteUrl}/reset#`)
  const token = tokenOf(linkIn(text))

  const weak = await browser.post('/password-reset', { token, password: 'short' })
  expect(await readError(weak)).toMatchObject({ code: 'weak_password', param: 'password' })
  const done = await browser.post('/password-reset', { token, password: newPassword })
  expect(await done.json()).toMatchObject({ account: { email: 'anna@example.com' }, organisation: { name: 'anna' } })
  expect((await browser.load()).account).toMatchObject({ email: 'anna@example.com' })
  expect((await anna.load()).account).toBeNull()
  expect((await anna.signIn('anna@example.com', goodPassword)).status).toBe(401)
  expect((await anna.signIn('anna@example.com', newPassword)).status).toBe(200)
  const again = await browser.post('/password-reset', { token, password: newPassword })
  expect(await readError(again)).toMatchObject({ code: 'invalid_link', param: 'token' })
})

test('requesting a reset does not reveal whether the account exists, and unknown addresses get no mail', async () => {
  const { helix, post } = await startWithMail()
  await post.mail()
  const browser = await openBrowser(helix.url)
  for (const email of ['nobody@example.com', 'owner@example.com']) {
    const response = await browser.post('/password-reset/request', { email })
    expect([response.status, await response.text()]).toEqual([204, ''])
  }
  await post.mail(2)
  await helix.server.close()
  expect(post.mails.flatMap(({ to }) => to)).toEqual(['owner@example.com', 'owner@example.com'])
})

test('links in mails use the address of the server, whatever the Host header of the request', async () => {
  const { helix, post } = await startWithMail()
  await post.mail()
  const browser = await openBrowser(helix.url)
  const evil = { 'sec-fetch-site': 'same-origin', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
  expect((await browser.post('/password-reset/request', { email: 'owner@example.com' }, evil)).status).toBe(204)
  expect(linkIn((await post.mail(2)).text)).toContain(`${helix.server.siteUrl}/reset#`)
})

test('a flood of reset requests for another user sends five mails, and all their links work', async () => {
  const { helix, post } = await startWithMail()
  await post.mail()
  const browser = await openBrowser(helix.url)
  for (let n = 0; n < 10; n += 1)
    expect((await browser.post('/password-reset/request', { email: 'owner@example.com' })).status).toBe(204)
  const first = await post.mail(2)
  await post.mail(6)
  const token = tokenOf(linkIn(first.text))
  expect((await browser.post('/password-reset', { token, password: newPassword })).status).toBe(200)
  // A new password ends the links that were asked for before.
  const stale = tokenOf(linkIn((await post.mail(6)).text))
  expect((await browser.post('/password-reset', { token: stale, password: newPassword })).status).toBe(400)
  await helix.server.close()
  expect(post.mails).toHaveLength(6)
})

test.each([
  ['password_reset', 3_600_000, '/password-reset'],
  ['email_verification', 24 * 3_600_000, '/email-verification'],
  ['invitation', 7 * 24 * 3_600_000, '/sign-up'],
])('a link from the owner works like one from a mail, and expires: %s', async (kind, lifeMs, path) => {
  const clock = createManualClock()
  const helix = await startHelix({ clock })
  const owner = await claimServer(helix)
  const anna = await signUp(helix.url, 'anna@example.com')
  const email = kind === 'invitation' ? 'ben@example.com' : 'anna@example.com'
  const make = async (): Promise<string> => {
    const response = await owner.post('/admin/links', { kind, email })
    const { url, expiresAt } = (await response.json()) as { url: string; expiresAt: number }
    expect(expiresAt).toBe(clock.now() + lifeMs)
    return tokenOf(url)
  }
  const bodyOf = (token: string) =>
    kind === 'invitation'
      ? { email, password: newPassword, invitation: token }
      : kind === 'password_reset'
        ? { token, password: newPassword }
        : { token }
  const [early, late] = [await make(), await make()]
  clock.advance(lifeMs - 1)
  expect((await anna.post(path, bodyOf(early))).ok).toBe(true)
  clock.advance(1)
  expect(
    await readError(
      await anna.post(path, { ...bodyOf(late), ...(kind === 'invitation' ? { email: 'c@example.com' } : {}) }),
    ),
  ).toMatchObject({
    code: 'invalid_link',
  })
})

test('the owner gets an error for a link that makes no sense', async () => {
  const owner = await claimServer(await startHelix())
  const ask = async (kind: string, email: string) => {
    const response = await owner.post('/admin/links', { kind, email })
    return { status: response.status, ...(await readError(response)) }
  }
  expect(await ask('password_reset', 'nobody@example.com')).toMatchObject({ status: 404, param: 'email' })
  expect(await ask('invitation', 'owner@example.com')).toMatchObject({ status: 409, code: 'email_taken' })
  expect(await ask('invitation', 'nobody')).toMatchObject({ status: 400, code: 'invalid_email' })
  expect(await ask('setup', 'a@example.com')).toMatchObject({ status: 400, code: 'invalid_value', param: 'kind' })
})

test('a failure of the mail server is logged without the address, and nobody waits for it', async () => {
  const helix = await startHelix({ config: { smtpUrl: 'smtp://127.0.0.1:1', mailFrom } })
  const owner = await claimServer(helix)
  expect((await owner.post('/password-reset/request', { email: 'owner@example.com' })).status).toBe(204)
  expect(await helix.logged({ event: 'mail_failed' })).toMatchObject({ level: 'error', reason: 'ESOCKET' })
  expect(helix.logLines.join('')).not.toContain('owner@example.com')
})
