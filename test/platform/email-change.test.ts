import { expect, test } from 'vitest'
import { claimServer, goodPassword, openBrowser, signUp, tokenOf } from '../harness/browser-session.ts'
import { startMailServer } from '../harness/mail-server.ts'
import { readError } from '../harness/read-error.ts'
import { startHelix } from '../harness/start-helix.ts'

const password = goodPassword
const tokenIn = (text: string): string => tokenOf(/https?:\S+/.exec(text)?.[0] ?? '').replace('change=', '')

test('with mail a new address takes effect once its link is opened, and the previous one is notified', async () => {
  const post = await startMailServer()
  const helix = await startHelix({ config: { smtpUrl: post.url, mailFrom: 'Helix <helix@example.com>' } })
  const owner = await claimServer(helix)
  const anna = await signUp(helix.url, 'anna@example.com', { language: 'ja' })
  await post.mail(2)
  const asked = await anna.post('/account/email', { email: 'Anna.New@example.com', password })
  expect(await asked.json()).toEqual({ outcome: 'mailed' })
  const mail = await post.mail(3)
  expect(mail).toMatchObject({ to: ['Anna.New@example.com'] })
  expect(mail.text).toContain('それまでは以前のアドレスのままです')
  expect((await anna.load()).account).toMatchObject({ email: 'anna@example.com' })

  // A reset that somebody asked for at the old address is worth nothing afterwards.
  await anna.post('/password-reset/request', { email: 'anna@example.com' })
  const reset = tokenIn((await post.mail(4)).text)
  const token = tokenIn(mail.text)
  const elsewhere = await openBrowser(helix.url)
  const [head = ''] = token.split('.')
  const bent = `${head}.${Buffer.from('mallory@example.com').toString('base64url')}`
  expect(await readError(await elsewhere.post('/email-change', { token: bent }))).toMatchObject({
    code: 'invalid_link',
  })
  expect((await elsewhere.post('/email-change', { token })).status).toBe(204)
  expect((await anna.load()).account).toMatchObject({ email: 'Anna.New@example.com', emailVerified: true })
  const told = await post.mail(5)
  expect(told.to).toEqual(['anna@example.com'])
  expect(told.text).toContain('Anna.New@example.comに変更されました')
  for (const [path, body] of [
    ['/email-change', { token }],
    ['/password-reset', { token: reset, password: 'walnut orchard radio' }],
  ] as const)
    expect(await readError(await elsewhere.post(path, body))).toMatchObject({ code: 'invalid_link' })
  expect((await elsewhere.signIn('anna@example.com')).status).toBe(401)
  expect((await elsewhere.signIn('anna.new@example.com')).status).toBe(200)
  const audit = (await (await owner.get('/admin/audit?action=account.email_changed')).json()) as { data: unknown[] }
  expect(audit.data).toMatchObject([{ actor: { kind: 'account', address: '127.0.0.1' }, details: {} }])
})

test('a new password cancels a change of address that was requested before', async () => {
  const post = await startMailServer()
  const helix = await startHelix({ config: { smtpUrl: post.url, mailFrom: 'Helix <helix@example.com>' } })
  const owner = await claimServer(helix)
  await owner.post('/account/email', { email: 'mallory@example.com', password })
  const token = tokenIn((await post.mail(2)).text)
  await owner.post('/account/password', { currentPassword: password, newPassword: 'walnut orchard radio' })
  const response = await (await openBrowser(helix.url)).post('/email-change', { token })
  expect(await readError(response)).toMatchObject({ code: 'invalid_link' })
  expect((await owner.load()).account).toMatchObject({ email: 'owner@example.com' })
})

test('without mail a change takes effect at once; a wrong password and a taken address change nothing', async () => {
  const helix = await startHelix()
  const owner = await claimServer(helix)
  await signUp(helix.url, 'ben@example.com')
  for (const [body, code, param] of [
    [{ email: 'new@example.com', password: 'a wrong password' }, 'wrong_password', 'password'],
    [{ email: 'new@example.com' }, 'wrong_password', 'password'],
    [{ email: 'Ben@example.com', password }, 'email_taken', 'email'],
    [{ email: 'owner@example.com', password }, 'email_taken', 'email'],
    [{ email: 'nowhere', password }, 'invalid_email', 'email'],
  ] as const)
    expect(await readError(await owner.post('/account/email', body))).toMatchObject({ code, param })
  expect((await owner.load()).account).toMatchObject({ email: 'owner@example.com' })
  const changed = await owner.post('/account/email', { email: 'new@example.com', password })
  expect(await changed.json()).toEqual({ outcome: 'changed' })
  expect((await owner.load()).account).toMatchObject({ email: 'new@example.com', emailVerified: false, isOwner: true })
  expect((await (await openBrowser(helix.url)).signIn('new@example.com')).status).toBe(200)
  // Nobody finds out by this who has an account here.
  for (let n = 0; n < 7; n += 1) await owner.post('/account/email', { email: 'ben@example.com', password })
  const late = await owner.post('/account/email', { email: 'ben@example.com', password })
  expect(await readError(late)).toMatchObject({ code: 'too_many_attempts' })
})
