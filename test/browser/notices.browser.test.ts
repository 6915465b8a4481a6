import { beforeAll, expect } from 'vitest'
import { claimServer } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

let helix: Helix
let owner: Awaited<ReturnType<typeof claimServer>>
beforeAll(async () => {
  helix = await openSiteServer({ hasConfigChanged: async () => true })
  owner = await claimServer(helix)
  await owner.post('/keys', { name: 'soon', expiresAt: Date.now() + 86_400_000 })
  return helix.close
})

const open = async (path: string, options: Parameters<typeof openVisitor>[1] = {}) => {
  const visitor = await openVisitor(helix.url, options)
  await takeCookies(visitor.context, helix.url, owner.cookies)
  await openPage(visitor.page, path)
  return visitor.page
}

test('the owner sees the first steps and notices, and hides what is not wanted', async () => {
  const page = await open('/keys')
  const notices = page.getByRole('region', { name: 'Notices' })
  await notices.getByText('The settings file has changed').waitFor()
  await notices.getByText('Key soon expires on').waitFor()
  const steps = page.getByRole('region', { name: 'First steps for this server' })
  await steps.getByText('0 of 7 done').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await steps.getByRole('button', { name: 'Hide' }).click()
  await steps.waitFor({ state: 'detached' })
  await notices.getByRole('listitem').filter({ hasText: 'expires' }).getByRole('button').click()
  await notices.getByText('Key soon expires on').waitFor({ state: 'detached' })
  // The settings have a part of this name too.
  const above = page.locator('section.notices')
  await openPage(page, '/settings')
  await page.getByLabel('The settings file has changed').uncheck()
  await above.waitFor({ state: 'detached' })
  await openPage(page, '/admin/server')
  // What was hidden is found again.
  await steps.waitFor()
  expect(await above.count()).toBe(0)
})

test('they leave the composer of the playground in sight, on a phone too', async () => {
  for (const width of [1440, 375]) {
    const page = await open('/playground', { width, height: 740 })
    await page.locator('section.notices').waitFor()
    const box = await page.locator('.composer').boundingBox()
    expect((box?.y ?? Number.NaN) + (box?.height ?? 0)).toBeLessThan(740)
  }
})

test('in Japanese on a phone they fit the screen', async () => {
  const page = await open('/keys', { language: 'ja', width: 375 })
  await page.getByRole('region', { name: 'お知らせ' }).getByText('設定ファイルが変更されました').waitFor()
  await page.getByText('7件中0件が完了').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})
