import { beforeAll, expect, test } from 'vitest'
import { appCode } from '../harness/authenticator-app.ts'
import {
  type BrowserSession,
  claimServer,
  goodPassword,
  openBrowser,
  signUp,
  tokenOf,
} from '../harness/browser-session.ts'
import { readError } from '../harness/read-error.ts'
import { addPasskey, askPasskey, switchOnTwoFactor } from '../harness/sign-in-methods.ts'
import { type Helix, openHelix } from '../harness/start-helix.ts'

const answer = async <Answer>(response: Response | Promise<Response>): Promise<Answer> =>
  (await (await response).json()) as Answer
const setRule = (browser: BrowserSession, secondFactorRequired: boolean) =>
  browser.post('/organisation/rules', { secondFactorRequired })
const needs = async (browser: BrowserSession): Promise<unknown> => {
  const { organisation } = (await browser.load()) as unknown as { organisation: { needsSecondFactor: boolean } }
  return organisation.needsSecondFactor
}

let helix: Helix
let people = 0
beforeAll(async () => {
  helix = await openHelix({ config: { host: 'localhost', signUpsPerHour: 1000 } })
  await claimServer(helix)
  return helix.close
})

/** An owner with an app, and somebody who joined them with a password alone. */
const openTeam = async () => {
  people += 1
  const email = `ben${people}@example.com`
  const owner = await signUp(helix.url, `ann${people}@example.com`)
  const { secret } = await switchOnTwoFactor(owner)
  const made = await owner.post('/organisation/invitations', { role: 'member', send: 'link' })
  const { url } = await answer<{ url: string }>(made)
  const member = await openBrowser(helix.url)
  const body = { email, password: goodPassword, join: tokenOf(url) }
  expect((await member.post('/sign-up', body)).status).toBe(200)
  await member.load()
  return { owner, secret, member, email }
}

test('a member without a second factor can do nothing in an organisation that requires one, until they set it up', async () => {
  const { owner, member } = await openTeam()
  expect(await answer(owner.get('/organisation/rules'))).toEqual({ secondFactorRequired: false, membersWithout: 1 })
  expect((await setRule(owner, true)).status).toBe(204)
  expect((await owner.get('/keys')).status).toBe(200)
  expect(await needs(owner)).toBe(false)
  expect(await needs(member)).toBe(true)
  const refused = [
    member.get('/keys'),
    member.post('/keys', { name: 'x' }),
    member.get('/organisation/members'),
    member.post('/playground/chat/completions', {}),
    member.get('/organisation/rules'),
  ]
  for (const response of await Promise.all(refused)) {
    expect(response.status).toBe(403)
    expect(await readError(response)).toMatchObject({ code: 'second_factor_needed' })
  }
  // What is their own stays open, or they could never get out of it.
  expect((await member.get('/account/sessions')).status).toBe(200)
  await switchOnTwoFactor(member)
  expect(await needs(member)).toBe(false)
  expect((await member.get('/keys')).status).toBe(200)
})

test('the rule applies to the session: a password alone is not enough, a passkey is', async () => {
  const { owner, member, email } = await openTeam()
  const { authenticator } = await addPasskey(member, helix.url)
  await setRule(owner, true)
  const browser = await openBrowser(helix.url)
  expect((await browser.signIn(email)).status).toBe(200)
  expect((await browser.get('/keys')).status).toBe(403)
  // Signed in already, and now shown to be there.
  await browser.load()
  const question = await askPasskey(browser, '/account/confirm/passkey/question')
  expect((await browser.post('/account/confirm/passkey', authenticator.use(question))).status).toBe(204)
  expect((await browser.get('/keys')).status).toBe(200)
  const other = await openBrowser(helix.url)
  expect((await other.post('/sign-in/passkey', authenticator.use(await askPasskey(other)))).status).toBe(200)
  expect((await other.get('/keys')).status).toBe(200)
})

test('switching the second factor off ends the access at once, in all sessions', async () => {
  const { owner, secret, member } = await openTeam()
  const app = await switchOnTwoFactor(member)
  await setRule(owner, true)
  expect((await member.get('/keys')).status).toBe(200)
  const off = { password: goodPassword, code: app.recoveryCodes[0] }
  expect((await member.post('/account/two-factor/off', off)).status).toBe(204)
  expect((await member.get('/keys')).status).toBe(403)
  // The owner too; and signs in again with the app.
  const email = (await owner.load()).account?.email ?? ''
  const again = await openBrowser(helix.url)
  const { secondStep } = await answer<{ secondStep: { token: string } }>(again.signIn(email))
  const body = { token: secondStep.token, code: appCode(secret, Date.now(), 1) }
  expect((await again.post('/sign-in/code', body)).status).toBe(200)
  expect((await setRule(again, false)).status).toBe(204)
  expect((await member.get('/keys')).status).toBe(200)
})

test('only owners can set the rule, and only with a second factor of their own', async () => {
  const { owner, member } = await openTeam()
  expect((await setRule(member, true)).status).toBe(403)
  const weak = await signUp(helix.url, `weak${people}@example.com`)
  const refused = await setRule(weak, true)
  expect(refused.status).toBe(403)
  expect(await readError(refused)).toMatchObject({ code: 'second_factor_needed' })
  expect((await setRule(weak, false)).status).toBe(204)
  expect((await setRule(owner, true)).status).toBe(204)
})

test('keys keep working: the rule applies to members only', async () => {
  const { owner, member } = await openTeam()
  const { key } = await answer<{ key: string }>(member.post('/keys', { name: 'Program' }))
  await setRule(owner, true)
  const headers = { authorization: `Bearer ${key}` }
  expect((await fetch(`${helix.baseUrl}/models`, { headers })).status).toBe(200)
})
