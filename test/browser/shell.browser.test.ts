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
  await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' })
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

test('what is typed right after Ctrl K is searched for, though the list is still being loaded', async () => {
  const { page } = await openAs('hana@example.com', '/usage')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/command-palette-[^/]+\.js$/, async (route) => {
    await released
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('lim')
  release()
  const palette = page.getByRole('dialog', { name: 'Go to' })
  await palette.getByRole('option', { name: /Limits/, selected: true }).waitFor()
  await page.keyboard.type('its')
  expect(await palette.getByRole('combobox').inputValue()).toBe('limits')
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'hidden' })
  await page.keyboard.press('Control+k')
  expect(await palette.getByRole('combobox').inputValue()).toBe('')
})

test('Ctrl K chooses the theme that is named, and opens a request by its ID', async () => {
  const { page, member } = await openAs('ivo@example.com', '/usage')
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Go to' })
  await palette.getByRole('combobox').fill('dark')
  await palette.getByRole('option', { name: /^Theme: Dark/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
  const asked = await fetch(`${helix.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${member.firstKey.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'helix-v1', messages: [{ role: 'user', content: 'Hi' }] }),
  })
  const id = asked.headers.get('x-request-id') ?? ''
  await asked.text()
  await page.keyboard.press('Control+k')
  await palette.getByRole('combobox').fill(` ${id} `)
  await palette.getByRole('option', { name: id, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/requests/${id}`)
  await page.getByText('Answered in').waitFor()
})

test.each([
  ['en', 'keyboard', 'Keyboard shortcuts'],
  ['ja', 'ショートカット', 'キーボードショートカット'],
] as const)('the list of shortcuts is found by name (%s)', async (language, typed, name) => {
  const { page } = await openAs(`${language}@example.com`, '/limits', { language })
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill(typed)
  await page.getByRole('option', { name, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name }).getByText('Ctrl K').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name }).waitFor({ state: 'hidden' })
})

test('the palette changes the theme and signs out, and a question mark opens the list of shortcuts', async () => {
  const { page } = await openAs('fay@example.com', '/requests')
  const palette = page.getByRole('dialog', { name: 'Go to' })
  const find = async (typed: string): Promise<void> => {
    await page.keyboard.press('Control+k')
    await palette.getByRole('combobox').fill(typed)
  }
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  // In a field it is a character.
  const search = page.locator('.requests-filter input').first()
  await search.focus()
  await page.keyboard.type('?')
  expect(await search.inputValue()).toBe('?')
  await search.fill('')
  await search.blur()
  await page.keyboard.press('?')
  await shortcuts.getByText('Show this list').waitFor()
  await page.keyboard.press('Escape')
  await shortcuts.waitFor({ state: 'hidden' })
  await find('theme')
  await palette.getByRole('option', { name: /^Theme: System/ }).waitFor()
  await palette.getByRole('option', { name: /^Theme: Dark/ }).click()
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
  await find('log out')
  await palette.getByRole('option', { name: /^Sign out/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/signin')
})

test('a page is found by its English name in Japanese too, also in full-width letters', async () => {
  const { page } = await openAs('emi@example.com', '/usage', { language: 'ja' })
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: '移動' })
  await palette.getByRole('combobox').fill('model')
  await palette.getByRole('option', { name: /モデルカタログ/ }).waitFor()
  await palette.getByRole('combobox').fill('ｒｅｑｕｅｓｔｓ')
  await palette.getByRole('option', { name: /リクエスト/ }).waitFor()
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
