import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Config } from '../../src/config/settings.ts'
import { appCode } from '../harness/authenticator-app.ts'
import {
  type BrowserSession,
  claimServer,
  goodPassword,
  openBrowser,
  signUp,
  tokenOf,
} from '../harness/browser-session.ts'
import { dataFilesContain } from '../harness/data-files-contain.ts'
import { createManualClock, type ManualClock } from '../harness/manual-clock.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, startHelix } from '../harness/start-helix.ts'
import { tempDir } from '../harness/temp-dir.ts'

const email = 'owner@example.com'
const stepMs = 30_000
type Begun = { secret: string; address: string }
type Codes = { recoveryCodes: string[] }
type Waiting = { account: null; secondStep: { token: string; expiresAt: number; hasPasskeys: boolean } }

const answer = async <Answer>(response: Response | Promise<Response>): Promise<Answer> =>
  (await (await response).json()) as Answer

const switchOn = async (browser: BrowserSession, clock: ManualClock) => {
  const { secret } = await answer<Begun>(browser.post('/account/two-factor/begin'))
  const { recoveryCodes } = await answer<Codes>(
    browser.post('/account/two-factor/confirm', { code: appCode(secret, clock.now()) }),
  )
  // The code that switched it on is used.
  clock.advance(stepMs)
  return { secret, recoveryCodes }
}

const openScene = async (config: Partial<Config> = {}) => {
  const clock = createManualClock()
  const helix = await startHelix({ clock, config })
  const owner = await claimServer(helix)
  return { clock, helix, owner, ...(await switchOn(owner, clock)) }
}

/** As far as the code is asked for. */
const beginSignIn = async (helix: Helix, password = goodPassword) => {
  const browser = await openBrowser(helix.url)
  const { secondStep } = await answer<Waiting>(browser.signIn(email, password))
  const finish = (code: string, token = secondStep.token) => browser.post('/sign-in/code', { token, code })
  return { browser, secondStep, finish }
}

test('with two-factor authentication a code from the app is required after the password', async () => {
  const { clock, helix, secret } = await openScene()
  const { browser, secondStep, finish } = await beginSignIn(helix)
  expect(secondStep).toEqual({ token: expect.any(String), expiresAt: clock.now() + 300_000, hasPasskeys: false })
  expect(browser.cookies.has('helix_session')).toBe(false)
  expect((await browser.get('/keys')).status).toBe(401)
  const response = await finish(appCode(secret, clock.now()))
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ account: { email }, recoveryCodesLeft: null })
  expect((await browser.get('/keys')).status).toBe(200)
})

test('it is switched on by the first code only, and not by a wrong one', async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock })
  const owner = await claimServer(helix)
  const early = await owner.post('/account/two-factor/confirm', { code: '000000' })
  expect(await readError(early)).toMatchObject({ code: 'second_factor_off' })
  const first = await answer<Begun>(owner.post('/account/two-factor/begin'))
  expect(first.secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(first.address).toContain(`secret=${first.secret}`)
  const { secret } = await answer<Begun>(owner.post('/account/two-factor/begin'))
  for (const code of [appCode(secret, clock.now(), 5), appCode(first.secret, clock.now()), '', 'x'.repeat(30)]) {
    const response = await owner.post('/account/two-factor/confirm', { code })
    expect(response.status).toBe(400)
    expect(await readError(response)).toMatchObject({ code: 'wrong_code', param: 'code' })
  }
  expect(await answer(owner.get('/account/sign-in-methods'))).toMatchObject({ twoFactor: null })
  expect(await answer(owner.signIn(email))).toMatchObject({ account: { email } })
})

test('a code works once, even if it is sent twice at once, and a clock may be one step off', async () => {
  const { clock, helix, secret } = await openScene()
  const code = appCode(secret, clock.now())
  const [one, other] = [await beginSignIn(helix), await beginSignIn(helix)]
  const answers = await Promise.all([one.finish(code), other.finish(code)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  const again = await beginSignIn(helix)
  expect(await readError(await again.finish(code))).toMatchObject({ code: 'wrong_code' })
  // Older than the one that was used: whoever saw it cannot use it either.
  expect((await again.finish(appCode(secret, clock.now(), -1))).status).toBe(400)
  expect((await again.finish(appCode(secret, clock.now(), 2))).status).toBe(400)
  const ahead = appCode(secret, clock.now(), 1)
  expect((await again.finish(`${ahead.slice(0, 3)} ${ahead.slice(3)}`)).status).toBe(200)
})

test('a recovery code replaces the app once, however it is typed', async () => {
  const { helix, owner, recoveryCodes } = await openScene()
  expect(recoveryCodes).toHaveLength(10)
  const [first = '', second = ''] = recoveryCodes
  const one = await beginSignIn(helix)
  const response = await one.finish(first.toUpperCase().replaceAll('-', ' '))
  expect(await response.json()).toMatchObject({ account: { email }, recoveryCodesLeft: 9 })
  const two = await beginSignIn(helix)
  const used = await two.finish(first)
  expect(used.status).toBe(400)
  expect(await readError(used)).toMatchObject({ code: 'wrong_code' })
  expect((await two.finish(second)).status).toBe(200)
  expect(await answer(owner.get('/account/sign-in-methods'))).toMatchObject({ twoFactor: { recoveryCodesLeft: 8 } })
})

test('new recovery codes replace the old ones', async () => {
  const { helix, owner, recoveryCodes } = await openScene()
  const { recoveryCodes: next } = await answer<Codes>(owner.post('/account/two-factor/recovery-codes'))
  expect(next).toHaveLength(10)
  const { finish } = await beginSignIn(helix)
  expect((await finish(recoveryCodes[0] ?? '')).status).toBe(400)
  expect((await finish(next[0] ?? '')).status).toBe(200)
})

test('the second step of a sign-in allows five minutes and five attempts', async () => {
  const { clock, helix, secret } = await openScene()
  const slow = await beginSignIn(helix)
  clock.advance(300_000)
  const late = await slow.finish(appCode(secret, clock.now()))
  expect(late.status).toBe(400)
  expect(await readError(late)).toMatchObject({ code: 'second_step_expired' })
  const guesser = await beginSignIn(helix)
  for (let n = 0; n < 5; n += 1)
    expect(await readError(await guesser.finish('000000'))).toMatchObject({ code: 'wrong_code' })
  const sixth = await guesser.finish(appCode(secret, clock.now()))
  expect(await readError(sixth)).toMatchObject({ code: 'second_step_expired' })
  expect(await readError(await guesser.finish('000000', 'made up'))).toMatchObject({ code: 'second_step_expired' })
})

test('a finished sign-in cannot be finished again', async () => {
  const { clock, helix, secret, recoveryCodes } = await openScene()
  const { finish } = await beginSignIn(helix)
  expect((await finish(appCode(secret, clock.now()))).status).toBe(200)
  expect(await readError(await finish(recoveryCodes[0] ?? ''))).toMatchObject({ code: 'second_step_expired' })
})

test('somebody with the password cannot guess the code from many addresses, or lock out a known browser', async () => {
  const { clock, helix, secret } = await openScene()
  const mine = await beginSignIn(helix)
  expect((await mine.finish(appCode(secret, clock.now()))).status).toBe(200)
  await mine.browser.post('/sign-out')
  await mine.browser.load()
  for (let n = 0; n < 10; n += 1) {
    const guesser = await beginSignIn(helix)
    expect((await guesser.finish('000000')).status).toBe(400)
  }
  const eleventh = await beginSignIn(helix)
  const refused = await eleventh.finish('000000')
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('360')
  clock.advance(stepMs)
  const { secondStep } = await answer<Waiting>(mine.browser.signIn(email))
  const body = { token: secondStep.token, code: appCode(secret, clock.now()) }
  expect((await mine.browser.post('/sign-in/code', body)).status).toBe(200)
})

test('tries at the same time do not pass the limit together', async () => {
  const { helix } = await openScene()
  const { finish } = await beginSignIn(helix)
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => finish(String(n).padStart(6, '0'))))
  const errors = await Promise.all(answers.map(async (response) => (await readError(response)).code))
  expect(errors.filter((code) => code === 'wrong_code')).toHaveLength(5)
})

test('a pending sign-in ends when the password changes', async () => {
  const { clock, helix, owner, secret } = await openScene()
  const { finish } = await beginSignIn(helix)
  const change = { currentPassword: goodPassword, newPassword: 'walnut orchard radio' }
  expect((await owner.post('/account/password', change)).status).toBe(204)
  expect((await finish(appCode(secret, clock.now()))).status).toBe(400)
})

test('a reset link replaces the password only: a code is still required', async () => {
  const { clock, helix, owner, secret } = await openScene()
  const { url } = await answer<{ url: string }>(owner.post('/admin/links', { kind: 'password_reset', email }))
  const browser = await openBrowser(helix.url)
  const reset = { token: tokenOf(url), password: 'walnut orchard radio' }
  const { secondStep } = await answer<Waiting>(browser.post('/password-reset', reset))
  expect((await browser.get('/keys')).status).toBe(401)
  const body = { token: secondStep.token, code: appCode(secret, clock.now()) }
  expect((await browser.post('/sign-in/code', body)).status).toBe(200)
})

test('switching it off requires the password and a code', async () => {
  const { clock, owner, secret } = await openScene()
  const code = appCode(secret, clock.now())
  const off = (body: unknown) => owner.post('/account/two-factor/off', body)
  expect(await readError(await off({ code }))).toMatchObject({ code: 'wrong_password', param: 'password' })
  expect(await readError(await off({ password: 'not this one', code }))).toMatchObject({ code: 'wrong_password' })
  expect(await readError(await off({ password: goodPassword, code: '000000' }))).toMatchObject({ code: 'wrong_code' })
  expect((await off({ password: goodPassword, code })).status).toBe(204)
  expect(await readError(await off({ password: goodPassword, code }))).toMatchObject({ code: 'second_factor_off' })
  expect(await answer(owner.signIn(email))).toMatchObject({ account: { email } })
})

test('guessing codes is limited per session', async () => {
  const { clock, owner, secret } = await openScene()
  for (let n = 0; n < 10; n += 1)
    expect((await owner.post('/account/confirm', { code: `wrong-wrong-wrong-${n}` })).status).toBe(400)
  expect((await owner.post('/account/confirm', { code: appCode(secret, clock.now()) })).status).toBe(429)
})

test('ten minutes after signing in the identity has to be confirmed again', async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock })
  const owner = await claimServer(helix)
  clock.advance(600_000)
  const refused = await owner.post('/account/two-factor/begin')
  expect(refused.status).toBe(403)
  expect(await readError(refused)).toMatchObject({ code: 'confirmation_needed' })
  expect(await readError(await owner.post('/account/confirm', {}))).toMatchObject({ code: 'confirmation_needed' })
  const wrong = await owner.post('/account/confirm', { password: 'not this one' })
  expect(await readError(wrong)).toMatchObject({ code: 'wrong_password' })
  expect((await owner.post('/account/confirm', { password: goodPassword })).status).toBe(204)
  const { secret } = await switchOn(owner, clock)
  clock.advance(600_000)
  expect((await owner.post('/account/two-factor/recovery-codes')).status).toBe(403)
  const code = appCode(secret, clock.now())
  expect((await owner.post('/account/confirm', { code })).status).toBe(204)
  expect(await readError(await owner.post('/account/confirm', { code }))).toMatchObject({ code: 'wrong_code' })
  expect((await owner.post('/account/two-factor/recovery-codes')).status).toBe(200)
  expect(await readError(await owner.post('/account/two-factor/begin'))).toMatchObject({ code: 'second_factor_on' })
})

test('the owner of the server can reset it for a user who lost the app and the codes: all sessions end, and the password is enough again', async () => {
  const clock = createManualClock()
  const helix = await startHelix({ clock })
  const owner = await claimServer(helix)
  const anna = await signUp(helix.url, 'anna@example.com')
  await switchOn(anna, clock)
  const listed = await answer<{ data: unknown[] }>(owner.get('/admin/accounts'))
  expect(listed.data).toMatchObject([{ hasTwoFactor: false }, { email: 'anna@example.com', hasTwoFactor: true }])
  const waiting = await openBrowser(helix.url)
  const { secondStep } = await answer<Waiting>(waiting.signIn('anna@example.com'))
  expect(secondStep.token).toBeDefined()
  const reset = (to: string) => owner.post('/admin/accounts/reset-two-factor', { email: to })
  expect((await reset('anna@example.com')).status).toBe(204)
  expect((await anna.load()).account).toBeNull()
  expect(await answer(anna.signIn('anna@example.com'))).toMatchObject({ account: { email: 'anna@example.com' } })
  expect(await readError(await reset('anna@example.com'))).toMatchObject({ code: 'second_factor_off' })
  expect(await readError(await reset('nobody@example.com'))).toMatchObject({ code: 'not_found', param: 'email' })
})

test('the command line can do the same for the owner', async () => {
  const { helix } = await openScene()
  expect(await helix.control('POST', '/control/accounts/reset-two-factor', { email })).toEqual({ twoFactor: false })
  expect(await answer((await openBrowser(helix.url)).signIn(email))).toMatchObject({ account: { email } })
})

test('neither the secret nor a recovery code can be read from the database', async () => {
  const { helix, secret, recoveryCodes } = await openScene()
  expect(recoveryCodes).toHaveLength(10)
  for (const hidden of [secret, ...recoveryCodes]) expect(dataFilesContain(helix.dataDir, hidden)).toBe(false)
  expect(readFileSync(join(helix.dataDir, 'secrets.key'), 'utf8')).toMatch(/^[\w+/]{43}=\n$/)
})

test('with a different secret key codes are refused and the log says why; recovery codes still work', async () => {
  const { helix: before, clock, secret, recoveryCodes } = await openScene({ dataDir: await tempDir() })
  await before.close()
  const secretKey = Buffer.alloc(32, 1).toString('base64')
  const helix = await startHelix({ clock, config: { dataDir: before.dataDir, secretKey } })
  const { finish } = await beginSignIn(helix)
  expect((await finish(appCode(secret, clock.now()))).status).toBe(400)
  await helix.logged({ event: 'second_factor_unreadable' })
  expect((await finish(recoveryCodes[0] ?? '')).status).toBe(200)
})
