import { beforeAll, beforeEach, expect } from 'vitest'
import { claimServer } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, pageSettled, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { watchShifts } from '../harness/watch-shifts.ts'
import { accessibilityViolations } from './accessibility-violations.ts'
import { withoutLongTimers } from './without-long-timers.ts'

let helix: Helix
let owner: Awaited<ReturnType<typeof claimServer>>
beforeAll(async () => {
  helix = await openSiteServer({ hasConfigChanged: async () => true })
  owner = await claimServer(helix)
  await owner.post('/keys', { name: 'soon', expiresAt: Date.now() + 86_400_000 })
  await owner.post('/keys', { name: '試用', expiresAt: Date.now() + 2 * 86_400_000 })
  return helix.close
})

type Choices = { off: string[]; dismissed: string[]; hidesChecklist: boolean }
const choices = async (): Promise<Choices> =>
  ((await (await owner.get('/notices')).json()) as { choices: Choices }).choices

/** What one test hides, the next one sees. */
beforeEach(async () => {
  const show = (what: object) => owner.post('/notices/choices', { ...what, isHidden: false })
  const { off, dismissed } = await choices()
  for (const kind of off) await show({ what: 'kind', kind })
  for (const id of dismissed) await show({ what: 'notice', id })
  await show({ what: 'checklist' })
})

/** A change shows before it is saved, and loading another page ends a request that was not sent yet. */
const saved = (expected: Partial<Choices>) => expect.poll(choices).toMatchObject(expected)

const open = async (path: string, options: Parameters<typeof openVisitor>[1] = {}) => {
  const visitor = await openVisitor(helix.url, options)
  await takeCookies(visitor.context, helix.url, owner.cookies)
  await visitor.page.addInitScript({ content: withoutLongTimers })
  await openPage(visitor.page, path)
  return visitor.page
}

test('the owner sees the first steps and notices, and hides what is not wanted', async () => {
  const page = await open('/keys')
  const notices = page.getByRole('region', { name: 'Current notices' })
  await notices.getByText('The settings file has changed').waitFor()
  await notices.getByText('Key “soon” expires on').waitFor()
  const steps = page.getByRole('region', { name: 'First steps for this server' })
  await steps.getByText('0 of 7 done').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await steps.getByRole('button', { name: 'Hide' }).click()
  await steps.waitFor({ state: 'detached' })
  const dismiss = (text: string) =>
    notices.getByRole('listitem').filter({ hasText: text }).getByRole('button', { name: 'Dismiss' }).click()
  await dismiss('soon')
  await notices.getByText('Key “soon” expires on').waitFor({ state: 'detached' })
  // Both can be undone.
  await page.getByText('Notice dismissed').getByRole('button', { name: 'Undo' }).click()
  await notices.getByText('Key “soon” expires on').waitFor()
  await page
    .getByText(/^First steps hidden/)
    .getByRole('button', { name: 'Undo' })
    .click()
  await steps.waitFor()
  await steps.getByRole('button', { name: 'Hide' }).click()
  await saved({ dismissed: [], hidesChecklist: true })
  await openPage(page, '/settings')
  await notices.waitFor()
  // The settings have a part about notices, which is found under another name.
  expect(await accessibilityViolations(page)).toEqual([])
  for (const label of ['The settings file has changed', 'A key expires within seven days']) {
    // Not `uncheck`, which does not wait for the page to follow the click.
    await page.getByLabel(label).click()
    await expect.poll(() => page.getByLabel(label).isChecked()).toBe(false)
  }
  await notices.waitFor({ state: 'detached' })
  await saved({ off: ['expiry', 'configuration'] })
  await openPage(page, '/admin/server')
  // What was hidden is found again.
  await steps.waitFor()
  expect(await notices.count()).toBe(0)
  // It is the account that remembers, not the browser.
  const elsewhere = await open('/settings')
  await expect.poll(() => elsewhere.getByLabel('A model or an upstream is down').isChecked()).toBe(true)
  expect(await elsewhere.getByLabel('A key expires within seven days').isChecked()).toBe(false)
  expect(await elsewhere.locator('section.notices').count()).toBe(0)
})

test('they leave the composer of the playground in sight, on a phone too', async () => {
  for (const width of [1440, 375]) {
    const page = await open('/playground', { width, height: 740 })
    await page.locator('section.notices').waitFor()
    const box = await page.locator('.composer').boundingBox()
    expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThan(740)
  }
})

test('in Japanese on a phone one of them is shown, and the others on demand', async () => {
  const page = await open('/keys', { language: 'ja', width: 375 })
  const notices = page.getByRole('region', { name: '現在のお知らせ' })
  await notices.getByText('キー「soon」の有効期限は').waitFor()
  expect(await notices.getByRole('listitem').count()).toBe(1)
  expect((await notices.boundingBox())?.height).toBeLessThan(90)
  await notices.getByRole('button', { name: 'ほか2件' }).click()
  await notices.getByText('設定ファイルが変更されました').waitFor()
  expect(await notices.getByRole('listitem').count()).toBe(3)
  expect(await accessibilityViolations(page)).toEqual([])
  await notices.getByRole('button', { name: '折りたたむ' }).click()
  await notices.getByText('設定ファイルが変更されました').waitFor({ state: 'hidden' })
  await page.getByText('7件中0件が完了').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})

test.each(['/keys', '/admin/models', '/admin/accounts'])(
  'what %s loads later pushes nothing away below the notices',
  async (path) => {
    const { page, context } = await openVisitor(helix.url, { width: 375 })
    await takeCookies(context, helix.url, owner.cookies)
    const { waitUntilPainted, shifted } = await watchShifts(page)
    const released = Promise.withResolvers<void>()
    await context.route(/\/platform\/(keys|admin\/(models|model-pulls|accounts))$/, async (route) => {
      await released.promise
      await route.continue()
    })
    await page.goto(path, { waitUntil: 'domcontentloaded' })
    await page.locator('section.notices').waitFor()
    await page.locator('.skeleton-line').first().waitFor({ state: 'attached' })
    await waitUntilPainted()
    released.resolve()
    await pageSettled(page)
    expect(await shifted()).toBeLessThanOrEqual(0.02)
  },
)
