import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { appCode } from '../harness/authenticator-app.ts'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { switchOnTwoFactor } from '../harness/sign-in-methods.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'
import { fillForm, goodPassword } from './fill-form.ts'
import { keptTexts } from './kept-texts.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openSiteServer()
  await claimServer(helix)
  return helix.close
})

const signIn = async (page: Page, email: string): Promise<void> => {
  await page.goto('/signin')
  await fillForm(page, email)
  await page.locator('form:visible button[type="submit"]').click()
}
const openSettings = async (email: string) => {
  const visitor = await openVisitor(helix.url)
  await signIn(visitor.page, email)
  await visitor.page.waitForURL('**/keys')
  await openPage(visitor.page, '/settings')
  return visitor
}
const part = (page: Page) => page.getByRole('region', { name: 'Two-factor authentication' })

test('it is set up with an app, whose recovery codes are shown once', async () => {
  await signUp(helix.url, 'ann@example.com')
  const { page } = await openSettings('ann@example.com')
  await part(page).getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up two-factor authentication' })
  await dialog.getByRole('img', { name: /QR code/ }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  const secret = (await dialog.locator('.secret-line .mono').innerText()).replaceAll(/\s/g, '')
  await dialog.getByLabel('Code from the app').fill('000000')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await dialog.getByText('This code is wrong, already used or expired.').waitFor()
  await dialog.getByLabel('Code from the app').fill(appCode(secret, Date.now()))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await codes.waitFor()
  const recovery = await codes.locator('.recovery-codes li').allInnerTexts()
  expect(recovery).toHaveLength(10)
  expect(await accessibilityViolations(page)).toEqual([])
  await codes.getByRole('button', { name: 'I have saved them' }).click()
  await part(page).getByText('10 recovery codes left.').waitFor()
  const kept = await keptTexts(page)
  for (const hidden of [secret, ...recovery]) expect(kept).not.toContain(hidden)
})

test('the code is asked for at the next sign-in, until it is switched off', async () => {
  const { secret, recoveryCodes } = await switchOnTwoFactor(await signUp(helix.url, 'amy@example.com'))
  const { page } = await openVisitor(helix.url)
  await signIn(page, 'amy@example.com')
  await page.getByRole('heading', { level: 1, name: 'Enter your code' }).waitFor()
  await page.getByLabel('Code').fill('000000')
  await page.locator('form:visible button[type="submit"]').click()
  await page.locator('.error-text').getByText('This code is wrong').waitFor()
  await page.getByLabel('Code').fill(appCode(secret, Date.now(), 1))
  await page.locator('form:visible button[type="submit"]').click()
  await page.waitForURL('**/keys')
  await openPage(page, '/settings')
  await part(page).getByRole('button', { name: 'Turn off' }).click()
  const off = page.getByRole('dialog', { name: 'Turn off two-factor authentication?' })
  await off.getByLabel('Password', { exact: true }).fill(goodPassword)
  await off.getByLabel('Code').fill(recoveryCodes[0] ?? '')
  await off.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('status').getByText('Two-factor authentication is off').waitFor()
  await part(page).getByText('Off', { exact: true }).waitFor()
})

test('a recovery code signs in once, in Japanese too', async () => {
  const ben = await signUp(helix.url, 'ben@example.com')
  const { recoveryCodes } = await switchOnTwoFactor(ben)
  const [code = ''] = recoveryCodes
  const { page } = await openVisitor(helix.url, { language: 'ja', width: 375, theme: 'dark' })
  await signIn(page, 'ben@example.com')
  await page.getByRole('heading', { level: 1, name: '確認コードを入力' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByLabel('確認コード').fill(code)
  await page.locator('form:visible button[type="submit"]').click()
  await page.waitForURL('**/keys')
  const again = await openVisitor(helix.url, { language: 'ja' })
  await signIn(again.page, 'ben@example.com')
  await again.page.getByLabel('確認コード').fill(code)
  await again.page.locator('form:visible button[type="submit"]').click()
  await again.page.locator('.error-text').getByText('コードが正しくないか、使用済み').waitFor()
})

test('an old session confirms the password first, and can cancel', async () => {
  await signUp(helix.url, 'cara@example.com')
  const { page } = await openSettings('cara@example.com')
  // The server says so once ten minutes are over.
  await page.route('**/platform/account/two-factor/begin', async (route) => {
    const error = { message: 'x', type: 'invalid_request_error', param: null, code: 'confirmation_needed' }
    await route.fulfill({ status: 403, json: { error } })
  })
  await part(page).getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.getByLabel('Password', { exact: true }).fill('not the password')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByText('Incorrect password.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await part(page).getByRole('alert').count()).toBe(0)
  await part(page).getByRole('button', { name: 'Set up' }).click()
  await dialog.getByLabel('Password', { exact: true }).fill(goodPassword)
  await page.unroute('**/platform/account/two-factor/begin')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('dialog', { name: 'Set up two-factor authentication' }).waitFor()
})

test('an organisation that requires it leads its members to set it up, and then lets them in', async () => {
  const owner = await signUp(helix.url, 'dora@example.com')
  await switchOnTwoFactor(owner)
  const invited = await owner.post('/organisation/invitations', { role: 'member', send: 'link' })
  const { url } = (await invited.json()) as { url: string }
  const eve = await signUp(helix.url, 'eve@example.com', { join: url.replace(/^.*#/, '') })
  expect(eve.firstKey).not.toBeNull()
  await owner.post('/organisation/rules', { secondFactorRequired: true })
  const { page } = await openVisitor(helix.url)
  await signIn(page, 'eve@example.com')
  await page.waitForURL('**/settings')
  await page.getByRole('alert').getByText('dora requires two-factor authentication.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.goto('/keys')
  await page.waitForURL('**/settings')
  await part(page).getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog')
  const secret = (await dialog.locator('.secret-line .mono').innerText()).replaceAll(/\s/g, '')
  await dialog.getByLabel('Code from the app').fill(appCode(secret, Date.now()))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByText('dora requires two-factor authentication.').waitFor({ state: 'hidden' })
  await page.goto('/keys')
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
})

test('an owner can require it of the organisation once they have set it up themselves', async () => {
  const owner = await signUp(helix.url, 'gina@example.com')
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/team')
  const rule = page.getByRole('region', { name: 'Two-factor authentication' })
  await rule.getByText('One member has no second factor.').waitFor()
  await rule.getByRole('button', { name: 'Require it' }).click()
  await rule.getByRole('alert').getByText('Set up two-factor authentication for yourself first').waitFor()
  await switchOnTwoFactor(owner)
  await page.reload()
  await rule.getByText('Every member has a second factor.').waitFor()
  await rule.getByRole('button', { name: 'Require it' }).click()
  await rule.getByText('Required', { exact: true }).waitFor()
})

test('the owner of the server turns it off for someone who lost the app and the recovery codes', async () => {
  const hana = await signUp(helix.url, 'hana@example.com')
  await switchOnTwoFactor(hana)
  const { page } = await openVisitor(helix.url)
  await signIn(page, 'owner@example.com')
  await page.waitForURL('**/keys')
  await openPage(page, '/admin/accounts')
  await page.getByRole('button', { name: 'Turn off two-factor authentication for hana@example.com' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('First make sure the request really comes from them.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('status').getByText('Two-factor authentication is off for hana@example.com').waitFor()
  const other = await openVisitor(helix.url)
  await signIn(other.page, 'hana@example.com')
  await other.page.waitForURL('**/keys')
})
