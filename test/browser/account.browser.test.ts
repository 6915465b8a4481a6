import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { startMailServer } from '../harness/mail-server.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer, startSite } from '../harness/start-site.ts'
import { fillForm, goodPassword } from './fill-form.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openSiteServer()
  await claimServer(helix)
  return helix.close
})

const signIn = async (page: Page, email: string, password = goodPassword): Promise<void> => {
  await page.goto('/signin')
  await fillForm(page, email, password)
  await page.locator('form:visible button[type="submit"]').click()
}

/** A browser in which somebody has signed in, at the settings. */
const openSettings = async (email: string, options: Parameters<typeof openVisitor>[1] = {}) => {
  const visitor = await openVisitor(helix.url, options)
  await signIn(visitor.page, email)
  await visitor.page.waitForURL('**/keys')
  await openPage(visitor.page, '/settings')
  return visitor
}

test('a visitor who opens a page of the console signs in first and returns to it', async () => {
  await signUp(helix.url, 'anna@example.com')
  const { page } = await openVisitor(helix.url)
  await page.goto('/playground')
  await page.waitForURL('**/signin?next=*')
  await fillForm(page, 'anna@example.com', 'not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('Incorrect email or password.').waitFor()
  await fillForm(page, 'anna@example.com')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor()
})

test('signing out closes the console until the next sign-in', async () => {
  await signUp(helix.url, 'ben@example.com')
  const { page } = await openSettings('ben@example.com')
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.goto('/keys')
  await page.waitForURL('**/signin?next=*')
})

test('a new password ends the session of every other browser', async () => {
  await signUp(helix.url, 'cara@example.com')
  const other = await openSettings('cara@example.com', { language: 'ja' })
  const { page } = await openSettings('cara@example.com')
  await page.getByLabel('Current password').fill(goodPassword)
  await page.getByLabel('New password').fill('seven grey herons')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('status').getByText('Password changed').waitFor()
  await openPage(page, '/keys')
  await other.page.goto('/keys')
  await other.page.waitForURL('**/signin?next=*')
  await fillForm(other.page, 'cara@example.com')
  await other.page.locator('form:visible button[type="submit"]').click()
  await other.page.getByRole('alert').waitFor()
  await signIn(other.page, 'cara@example.com', 'seven grey herons')
  await other.page.waitForURL('**/keys')
})

test('another browser can be signed out from the list of sessions', async () => {
  await signUp(helix.url, 'dora@example.com')
  const other = await openSettings('dora@example.com')
  const { page } = await openSettings('dora@example.com')
  const ends = page.getByRole('button', { name: /^End session/ })
  await ends.first().waitFor()
  // The browser that signed up, and the other one.
  expect(await ends.count()).toBe(2)
  await ends.first().click()
  await page.getByRole('status').getByText('Session ended').waitFor()
  await expect.poll(() => ends.count()).toBe(1)
  await ends.first().click()
  await expect.poll(() => ends.count()).toBe(0)
  await other.page.goto('/settings')
  await other.page.waitForURL('**/signin?next=*')
})

test('the language and the theme of the console are chosen in the settings', async () => {
  await signUp(helix.url, 'emi@example.com')
  const { page } = await openSettings('emi@example.com')
  await page.getByLabel('Theme').selectOption('dark')
  await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' })
  await page.getByLabel('Language', { exact: true }).selectOption('ja')
  await page.getByRole('heading', { level: 1, name: '設定' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: '設定' }).waitFor()
  expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe('rgb(14, 21, 25)')
})

test('a deleted account is gone with its keys', async () => {
  const { firstKey } = await signUp(helix.url, 'finn@example.com')
  const { page } = await openSettings('finn@example.com')
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this account?' })
  await dialog.getByLabel('Type finn@example.com to confirm').fill('finn@example.com')
  await dialog.getByLabel('Password', { exact: true }).fill('not the password')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByText('This is not your current password.').waitFor()
  await dialog.getByLabel('Password', { exact: true }).fill(goodPassword)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await page.waitForURL(`${helix.url}/`)
  const headers = { authorization: `Bearer ${firstKey.key}` }
  expect((await fetch(`${helix.baseUrl}/models`, { headers })).status).toBe(401)
  await signIn(page, 'finn@example.com')
  await page.getByRole('alert').getByText('Incorrect email or password.').waitFor()
})

test('another email address counts at once where the server sends no mail, and one that is taken is refused', async () => {
  await signUp(helix.url, 'zoe@example.com')
  const { page } = await openSettings('zoe@example.com', { language: 'ja' })
  await page.getByRole('button', { name: 'メールアドレスの変更' }).click()
  const dialog = page.getByRole('dialog', { name: 'メールアドレスの変更' })
  await dialog.getByLabel('新しいメールアドレス').fill('owner@example.com')
  await dialog.getByLabel('パスワード', { exact: true }).fill(goodPassword)
  await dialog.getByRole('button', { name: 'メールアドレスを変更' }).click()
  await dialog.getByText('このメールアドレスはすでに使われています。').waitFor()
  await dialog.getByLabel('新しいメールアドレス').fill('zoe.new@example.com')
  await dialog.getByRole('button', { name: 'メールアドレスを変更' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('zoe.new@example.comでサインインしています。').waitFor()
})

test('where the server sends mail, the link in it changes the address', async () => {
  const post = await startMailServer()
  const mailing = await startSite({ config: { smtpUrl: post.url, mailFrom: 'Helix <helix@example.com>' } })
  const owner = await claimServer(mailing)
  await post.mail()
  const { siteUrl } = mailing.server
  const { page, context } = await openVisitor(siteUrl)
  await takeCookies(context, siteUrl, owner.cookies)
  await openPage(page, '/settings')
  await page.getByRole('button', { name: 'Change your email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change your email' })
  await dialog.getByLabel('New email').fill('new@example.com')
  await dialog.getByLabel('Password', { exact: true }).fill(goodPassword)
  await dialog.getByRole('button', { name: 'Change email' }).click()
  await page.getByRole('status').getByText('Link sent to new@example.com').waitFor()
  await page.goto(/https?:\S+/.exec((await post.mail(2)).text)?.[0] ?? '')
  await page.getByRole('heading', { name: 'Your email is confirmed' }).waitFor()
  await openPage(page, '/settings')
  await page.getByText('You are signed in as new@example.com.').waitFor()
})

test('a reset link pasted into the tab that asked for it leads to the new password', async () => {
  await signUp(helix.url, 'anke@example.com')
  const link = { kind: 'password_reset', email: 'anke@example.com' }
  const made = (await helix.control('POST', '/control/links', link)) as { url: string }
  const { page } = await openVisitor(helix.url)
  await openPage(page, '/reset')
  await page.goto(new URL(made.url).pathname + new URL(made.url).hash)
  await page.getByRole('heading', { level: 1, name: 'Choose a new password' }).waitFor()
})

test('the settings name the role in the organisation, and who owns the server besides', async () => {
  await signUp(helix.url, 'otto@example.com')
  const { page } = await openSettings('otto@example.com')
  const role = page.locator('dt:text-is("Role") + dd')
  expect(await role.textContent()).toBe('Owner')
  const { page: owners } = await openSettings('owner@example.com')
  expect(await owners.locator('dt:text-is("Role") + dd').textContent()).toBe('OwnerYou also own this server.')
})
