import { beforeAll, expect } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, pageSettled, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openSiteServer()
  await claimServer(helix)
  return helix.close
})

const openAs = async (email: string, path: string, options: Parameters<typeof openVisitor>[1] = {}) => {
  const member = await signUp(helix.url, email)
  const visitor = await openVisitor(helix.url, options)
  await takeCookies(visitor.context, helix.url, member.cookies)
  await openPage(visitor.page, path)
  return { ...visitor, member }
}

test('the account menu changes theme and language, and signs out', async () => {
  const { page } = await openAs('anna@example.com', '/keys', { width: 768 })
  await page.getByRole('button', { name: 'Account' }).click()
  const menu = page.getByRole('dialog', { name: 'Account' })
  await menu.getByLabel('Theme').selectOption({ label: 'Dark' })
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  expect(await accessibilityViolations(page)).toEqual([])
  await menu.getByLabel('Language').selectOption({ label: '日本語' })
  const inJapanese = page.getByRole('dialog', { name: 'アカウント' })
  await page.keyboard.press('Escape')
  await inJapanese.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'アカウント' }).click()
  await inJapanese.getByRole('button', { name: 'サインアウト' }).click()
  await page.waitForURL('**/signin')
})

test('a page shows its name before its scripts run, then the answers that were fetched with it, each once', async () => {
  const member = await signUp(helix.url, 'first@example.com')
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, member.cookies)
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/platform/')) calls.push(pathname)
  })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/assets\/main-/, async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/limits', { waitUntil: 'commit' })
  await page.getByRole('heading', { name: 'Limits', level: 1 }).waitFor()
  expect(await page.title()).toBe('Limits · Helix')
  expect(await page.getByRole('navigation').count()).toBe(0)
  release()
  await page.getByRole('navigation', { name: 'Main navigation' }).first().waitFor()
  await pageSettled(page)
  expect(calls.sort()).toEqual(['/platform/limits', '/platform/notices', '/platform/session'])
})

test('everything is found by name with Ctrl K: pages, actions and keys', async () => {
  const { page, member } = await openAs('ben@example.com', '/usage')
  await member.post('/keys', { name: 'Nightly report' })
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Go to' })
  const search = palette.getByRole('combobox')
  await search.waitFor()
  await page.keyboard.type('nightly')
  await palette.getByRole('option', { name: /Nightly report/, selected: true }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.waitForURL('**/keys/key_*')
  await page.getByText('This key works.').waitFor()
  await page.keyboard.press('Control+k')
  await search.fill('nothing')
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'hidden' })
  await page.keyboard.press('Control+k')
  await search.fill('create')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Create a key' }).waitFor()
  await page.waitForURL('**/keys?dialog=create')
})

test('with a keyboard and a narrow page Ctrl K works too', async () => {
  const { page } = await openAs('dora@example.com', '/usage', { width: 375 })
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('limits')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/limits')
})

test('on a phone the account is under More, and one of many organisations is found by name', async () => {
  const { page, member } = await openAs('cleo@example.com', '/limits', { language: 'ja', width: 375 })
  for (const name of ['Alpha', 'Beta', 'Gamma', 'Delta']) await member.post('/organisations', { name })
  await openPage(page, '/limits')
  await page.getByRole('button', { name: 'その他' }).click()
  await page.getByRole('button', { name: 'サインアウト' }).waitFor()
  await page.locator('dialog .organisation-switch').click()
  await page.getByLabel('組織を検索').fill('gam')
  await page.locator('.organisations').getByRole('button', { name: 'Gamma' }).click()
  await page.locator('.organisations').waitFor({ state: 'detached' })
  expect((await member.load()).organisation?.name).toBe('Gamma')
})
