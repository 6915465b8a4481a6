import { beforeAll, expect } from 'vitest'
import { claimServer, joinAs, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { goodPassword } from './fill-form.ts'

let helix: Helix
let owner: Awaited<ReturnType<typeof claimServer>>
beforeAll(async () => {
  helix = await openSiteServer()
  owner = await claimServer(helix)
  return helix.close
})

const openAsOwner = async (path: string, options: Parameters<typeof openVisitor>[1] = {}) => {
  const visitor = await openVisitor(helix.url, options)
  await takeCookies(visitor.context, helix.url, owner.cookies)
  await openPage(visitor.page, path)
  return visitor
}

test('filters, searches and dialogs stand in the address, and going back and forward follows them', async () => {
  const { page } = await openAsOwner('/keys')
  const search = page.getByRole('searchbox')
  const live = page.getByRole('button', { name: /^Live/ })
  const dialog = page.getByRole('dialog', { name: 'Create a key' })
  await search.fill('first')
  await page.waitForURL('**/keys?q=first')
  await live.click()
  await page.waitForURL('**/keys?q=first&state=live')
  await page.getByRole('button', { name: 'Create key' }).click()
  await dialog.waitFor()
  await page.waitForURL('**/keys?q=first&state=live&dialog=create')
  await page.goBack()
  await dialog.waitFor({ state: 'hidden' })
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Create key')
  expect(await live.getAttribute('aria-pressed')).toBe('true')
  await page.goForward()
  await dialog.waitFor()
  await page.reload()
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.waitForURL('**/keys?q=first&state=live')
  await page.goBack()
  await page.waitForURL('**/keys?q=first')
  await page.getByRole('button', { name: /^All/, pressed: true }).waitFor()
  expect(await search.inputValue()).toBe('first')
})

test('a link to a view shows the same to a colleague who signs in first', async () => {
  const { page } = await openVisitor(helix.url, { language: 'ja' })
  const member = await signUp(helix.url, 'colleague@example.com')
  await page.goto('/audit?action=key&actor=colleague&from=2001-01-01&until=nonsense')
  await page.getByLabel('メールアドレス').fill('colleague@example.com')
  await page.getByLabel('パスワード', { exact: true }).fill(goodPassword)
  await page.getByRole('button', { name: 'サインイン', exact: true }).click()
  await page.waitForURL('**/audit?action=key&actor=colleague&from=2001-01-01&until=nonsense')
  await page.locator('.table.audit tbody tr').first().waitFor()
  expect(await page.getByLabel('種類', { exact: true }).inputValue()).toBe('key')
  expect(await page.getByRole('searchbox').first().inputValue()).toBe('colleague')
  expect(await page.getByLabel('開始日').inputValue()).toBe('2001-01-01')
  expect(await page.getByLabel('終了日').inputValue()).toBe('')
  await page.goto(`/requests?key=${member.firstKey.id}&outcome=failed&model=%3Cscript%3E`)
  expect(await page.getByLabel('結果').inputValue()).toBe('failed')
  await page.getByRole('button', { name: 'すべて表示' }).click()
  await page.waitForURL('**/requests')
})

test('an address opens no dialog for what its reader may not do', async () => {
  const { page, context } = await openVisitor(helix.url)
  const member = await signUp(helix.url, 'plain@example.com')
  const viewer = await joinAs(helix.url, member, 'viewer', 'viewer@example.com')
  await takeCookies(context, helix.url, viewer.cookies)
  await openPage(page, `/keys/${member.firstKey.id}?dialog=revoke`)
  await page.getByText('Only its creator or an admin can change this key.').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('a viewer reads on the pages of the playground that their role does not allow it', async () => {
  const { page, context } = await openVisitor(helix.url)
  const member = await signUp(helix.url, 'inviter@example.com')
  const viewer = await joinAs(helix.url, member, 'viewer', 'reader@example.com')
  await takeCookies(context, helix.url, viewer.cookies)
  for (const path of ['/playground', '/playground/shared/shr_1', '/playground/compare']) {
    await openPage(page, path)
    await page.getByText('Your role in this organisation doesn’t allow this.').waitFor()
    expect(await page.getByRole('button', { name: /Send|Run both|Try again/ }).count()).toBe(0)
  }
})

test('going back while a new secret is shown does not lose it', async () => {
  const { page } = await openAsOwner('/keys')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Kept')
  await page.keyboard.press('Enter')
  const secret = page.locator('.secret .value')
  const key = await secret.textContent()
  await page.goBack()
  await page.waitForURL('**/keys')
  expect(await secret.textContent()).toBe(key)
  await page.getByRole('button', { name: 'Copy key' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})
