import { expect, test } from 'vitest'
import { type BrowserSession, claimServer, goodPassword, openBrowser, tokenOf } from '../harness/browser-session.ts'
import { changeDatabase } from '../harness/change-database.ts'
import { startMailServer } from '../harness/mail-server.ts'
import { openProvider } from '../harness/openid-provider.ts'
import { readError } from '../harness/read-error.ts'
import { runCommand } from '../harness/run-command.ts'
import { type Helix, startHelix } from '../harness/start-helix.ts'

const inLetters = 'jo@münchen.example'
const inPunycode = 'jo@xn--mnchen-3ya.example'

/** As earlier versions stored it for somebody who typed it so. */
const storeAs = (helix: Helix, stored: string, typed: string): Promise<void> =>
  changeDatabase(helix, `UPDATE accounts SET email_key = '${typed}' WHERE email_key = '${stored}'`)

const create = async (helix: Helix, email: string): Promise<unknown> => {
  const browser = await openBrowser(helix.url)
  const response = await browser.post('/sign-up', { email, password: goodPassword })
  return response.status === 200 ? (await browser.load()).account?.id : (await readError(response)).code
}
const accountIn = async (browser: BrowserSession): Promise<unknown> => (await browser.load()).account?.id
const enter = async (helix: Helix, email: string): Promise<unknown> => {
  const browser = await openBrowser(helix.url)
  return (await browser.signIn(email)).status === 200 ? accountIn(browser) : null
}

test.each([
  ['letters', inLetters],
  ['Punycode', inPunycode],
])('an account created in %s is the same in the other spelling', async (_, first) => {
  const helix = await startHelix({ config: { signUpsPerHour: 100 } })
  const owner = await claimServer(helix)
  const jo = await create(helix, first)
  expect(jo).toMatch(/^usr_/)
  for (const email of [inLetters, inPunycode, 'JO@XN--MNCHEN-3YA.example', 'Jo@MÜNCHEN。example'])
    expect([email, await enter(helix, email), await create(helix, email)]).toEqual([email, jo, 'email_taken'])
  const change = { email: first === inLetters ? inPunycode : inLetters, password: goodPassword }
  expect(await readError(await owner.post('/account/email', change))).toMatchObject({ code: 'email_taken' })
  // It is no name that any letters are written in.
  for (const email of ['jo@xn--a.example', 'jo@xn--abc-.example', 'jo@abc.example'])
    expect(await create(helix, email)).not.toBe(jo)
})

test('an account from before that is known in Punycode is found by its letters, and nobody creates it again', async () => {
  const post = await startMailServer()
  const helix = await startHelix({ config: { smtpUrl: post.url, mailFrom: 'helix@example.com', signUpsPerHour: 100 } })
  const owner = await claimServer(helix)
  const jo = await create(helix, inPunycode)
  await changeDatabase(helix, `UPDATE accounts SET language = 'ja' WHERE id = '${jo}'`)
  await storeAs(helix, inLetters, inPunycode)
  expect(await enter(helix, inLetters)).toBe(jo)
  expect(await enter(helix, inPunycode)).toBe(jo)
  expect(await create(helix, inLetters)).toBe('email_taken')
  await post.mail(2)
  const browser = await openBrowser(helix.url)
  await browser.post('/password-reset/request', { email: inLetters })
  const { to, text } = await post.mail(3)
  expect(to).toEqual([inPunycode])
  const token = tokenOf(/https?:\S+/.exec(text)?.[0] ?? '')
  expect((await browser.post('/password-reset', { token, password: 'walnut orchard radio' })).status).toBe(200)
  expect(await accountIn(browser)).toBe(jo)
  const suspended = await runCommand(['accounts', 'suspend', inLetters, '--data-dir', helix.dataDir])
  expect(suspended).toMatchObject({ code: 0 })
  const invited = { email: inLetters, role: 'member', send: 'mail' }
  expect((await owner.post('/organisation/invitations', invited)).status).toBe(201)
  await helix.server.close()
  const invitation = post.mails.find(({ text: words }) => words.includes('/invitation#'))
  expect(invitation?.to).toEqual([inPunycode])
  // In the language of the account, whichever way it is written.
  expect(invitation?.text).toMatch(/[ぁ-ん]/)
})

test('accounts that exist twice can still sign in, each with the spelling that it was created in', async () => {
  const helix = await startHelix({ config: { signUpsPerHour: 100 } })
  await claimServer(helix)
  const one = await create(helix, 'other@example.com')
  const two = await create(helix, inLetters)
  await storeAs(helix, 'other@example.com', inPunycode)
  expect([await enter(helix, inPunycode), await enter(helix, inLetters)]).toEqual([one, two])
  for (const email of [inPunycode, inLetters]) expect(await create(helix, email)).toBe('email_taken')
})

test('a provider that knows the other spelling leads to the same account', async () => {
  const provider = await openProvider()
  const helix = await startHelix({ config: { ...provider.settings, signUpsPerHour: 100 } })
  await claimServer(helix)
  const jo = await create(helix, inLetters)
  await changeDatabase(helix, 'UPDATE accounts SET email_verified_at = 1')
  provider.state.person = { sub: 'jo', email: inPunycode, email_verified: true }
  const browser = await openBrowser(helix.url)
  const { url } = (await (await browser.post('/sign-in/providers/oidc/begin', {})).json()) as { url: string }
  const back = await fetch(url, { redirect: 'manual' })
  const reply = Object.fromEntries(new URL(back.headers.get('location') ?? '').searchParams)
  expect((await browser.post('/sign-in/providers/oidc/finish', reply)).status).toBe(200)
  expect(await accountIn(browser)).toBe(jo)
  await provider.close()
})
