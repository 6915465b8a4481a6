import { beforeAll, expect, test } from 'vitest'
import { claimServer, goodPassword, openBrowser, signUp, tokenOf } from '../harness/browser-session.ts'
import { createManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, openHelix, startHelix } from '../harness/start-helix.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openHelix({ config: { signUpsPerHour: 1000 } })
  await claimServer(helix)
  return helix.close
})

const refused = async (response: Response) => ({ status: response.status, ...(await readError(response)) })

test('signing up signs the user in, with their own organisation and a working first key', async () => {
  const anna = await signUp(helix.url, 'Anna.Smith@Example.COM')
  const { account, organisation } = await anna.load()
  expect(account).toMatchObject({
    email: 'Anna.Smith@example.com',
    isOwner: false,
    emailVerified: false,
    language: 'en',
  })
  expect(organisation).toMatchObject({ name: 'Anna.Smith' })
  const models = await fetch(`${helix.baseUrl}/models`, { headers: { authorization: `Bearer ${anna.firstKey.key}` } })
  expect(models.headers.get('openai-organization')).toBe(organisation?.id)
  const other = await signUp(helix.url, 'ben@example.com')
  expect((await other.load()).organisation?.id).not.toBe(organisation?.id)
})

test.each(['taken@example.com', 'TAKEN@Example.com', '  taken@EXAMPLE.com '])(
  'a taken email is refused in any letter case: %j',
  async (email) => {
    const browser = await openBrowser(helix.url)
    await browser.post('/sign-up', { email: 'taken@example.com', password: goodPassword })
    const again = await refused(await browser.post('/sign-up', { email, password: goodPassword }))
    expect(again).toMatchObject({ status: 409, code: 'email_taken', param: 'email' })
  },
)

test.each(['mailbox@ｅxample.com', 'mailbox@example。com', 'mailbox@ＥＸＡＭＰＬＥ．com'])(
  'one mailbox has one account, however its domain is written: %j',
  async (email) => {
    const browser = await openBrowser(helix.url)
    await browser.post('/sign-up', { email: 'mailbox@example.com', password: goodPassword })
    const again = await refused(await browser.post('/sign-up', { email, password: goodPassword }))
    expect(again).toMatchObject({ status: 409, code: 'email_taken', param: 'email' })
    expect((await browser.signIn(email)).status).toBe(200)
  },
)

test('a domain of other letters is stored as it is typed', async () => {
  const browser = await openBrowser(helix.url)
  await browser.post('/sign-up', { email: 'anna@straße.日本語.jp', password: goodPassword })
  expect((await browser.load()).account).toMatchObject({ email: 'anna@straße.日本語.jp' })
})

test.each([
  '',
  'a',
  '@',
  'a@',
  '@b',
  'a@b@c',
  'a b@c',
  'a@b\nc',
  'a@b..c',
  'a@.b',
  'a,b@c',
  '<a@b>',
  // Looks like a@b.example, and a mail would reach it.
  'a@b.example\u3164',
  'a\u034f@b.example',
  'a\u2800@b.example',
  // A mail would reach somebody at é.
  'a@é/b.example',
  'a@é%2fb.example',
  'a@é。',
  `${'a'.repeat(65)}@b`,
  `a@${'b'.repeat(253)}`,
])('an invalid email is refused: %j', async (email) => {
  const browser = await openBrowser(helix.url)
  const response = await refused(await browser.post('/sign-up', { email, password: goodPassword }))
  expect(response).toMatchObject({ status: 400, code: 'invalid_email', param: 'email' })
})

test.each([
  ['ninechars', 'too_short'],
  ['短いパスワード', 'too_short'],
  ['password123', 'common'],
  ['P@ssw0rd2026!', 'common'],
  ['1234567890', 'common'],
  ['aaaaaaaaaaaa', 'common'],
  ['qwertyuiop', 'common'],
  ['somebody@example.com', 'same_as_email'],
  ['x1'.repeat(129), 'too_long'],
])('a weak password is refused: %s (%s)', async (password, reason) => {
  const browser = await openBrowser(helix.url)
  const response = await refused(await browser.post('/sign-up', { email: 'somebody@example.com', password }))
  expect(response).toMatchObject({ status: 400, code: 'weak_password', param: 'password' })
  expect(response.message).toContain(`(${reason})`)
})

test('the body is checked field by field', async () => {
  const browser = await openBrowser(helix.url)
  const person = { email: 'somebody@example.com', password: goodPassword }
  expect(await refused(await browser.post('/sign-up', { email: 'a@b.example' }))).toMatchObject({ param: 'password' })
  expect(await refused(await browser.post('/sign-up', { ...person, isOwner: true }))).toMatchObject({
    code: 'unknown_parameter',
    param: 'isOwner',
  })
  expect(await refused(await browser.post('/sign-up', { ...person, language: 'fr' }))).toMatchObject({
    param: 'language',
  })
})

test('with closed sign-up nobody can sign up, not even with an invitation', async () => {
  const closed = await startHelix({ config: { signUp: 'closed' } })
  const owner = await claimServer(closed)
  expect((await owner.load()).signUp).toBe('closed')
  const browser = await openBrowser(closed.url)
  const response = await browser.post('/sign-up', { email: 'a@example.com', password: goodPassword, invitation: 'x' })
  expect(await refused(response)).toMatchObject({ status: 403, code: 'sign_up_closed' })
  const link = await owner.post('/admin/links', { kind: 'invitation', email: 'a@example.com' })
  expect(await refused(link)).toMatchObject({ status: 403, code: 'sign_up_closed' })
})

test('with sign-up by invitation each invitation works for one person', async () => {
  const invited = await startHelix({ config: { signUp: 'invitation' } })
  const owner = await claimServer(invited)
  const browser = await openBrowser(invited.url)
  const person = { email: 'a@example.com', password: goodPassword }
  expect(await refused(await browser.post('/sign-up', person))).toMatchObject({
    status: 403,
    code: 'invitation_needed',
  })
  const wrong = await refused(await browser.post('/sign-up', { ...person, invitation: 'wrong' }))
  expect(wrong).toMatchObject({ status: 400, code: 'invalid_link', param: 'invitation' })

  const made = await owner.post('/admin/links', { kind: 'invitation', email: 'a@example.com' })
  const { url } = (await made.json()) as { url: string }
  expect(url).toMatch(new RegExp(`^${invited.url}/signup#invitation=[\\w-]{43}$`))
  const invitation = tokenOf(url)
  const taken = await browser.post('/sign-up', { ...person, email: 'owner@example.com', invitation })
  expect(await refused(taken)).toMatchObject({ code: 'email_taken' })
  const both = await Promise.all(
    ['a@example.com', 'b@example.com'].map(async (email) =>
      (await openBrowser(invited.url)).post('/sign-up', { ...person, email, invitation }),
    ),
  )
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('the number of accounts per hour is limited for an address, without affecting other addresses', async () => {
  const clock = createManualClock()
  const limited = await startHelix({ clock, config: { signUpsPerHour: 2, trustedProxies: ['loopback'] } })
  await claimServer(limited)
  const signUpFrom = async (address: string, email: string) =>
    (await openBrowser(limited.url, { 'x-forwarded-for': address })).post('/sign-up', { email, password: goodPassword })
  expect((await signUpFrom('2001:db8::1', 'a@example.com')).status).toBe(200)
  expect((await signUpFrom('2001:db8::2', 'b@example.com')).status).toBe(200)
  const third = await signUpFrom('2001:db8::3', 'c@example.com')
  expect(third.headers.get('retry-after')).toBe('1800')
  expect(await refused(third)).toMatchObject({ status: 429, code: 'too_many_attempts' })
  expect((await signUpFrom('2001:db8:0:1::1', 'c@example.com')).status).toBe(200)
  clock.advance(1_800_000)
  expect((await signUpFrom('2001:db8::1', 'd@example.com')).status).toBe(200)
})
