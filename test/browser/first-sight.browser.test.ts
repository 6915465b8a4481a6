import { beforeAll, expect } from 'vitest'
import { type BrowserSession, claimServer } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { pageSettled, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'

let helix: Helix
let owner: BrowserSession
beforeAll(async () => {
  helix = await openSiteServer()
  owner = await claimServer(helix)
  return helix.close
})

test('a page says its sentence before the app is there, which then says it once, in its place', async () => {
  await owner.post('/keys', { name: 'Second' })
  const { page, context } = await openVisitor(helix.url, { language: 'en' })
  await takeCookies(context, helix.url, owner.cookies)
  const app = Promise.withResolvers<void>()
  let held = 0
  await page.route(/\/assets\/start-app-[^/]+\.js$/, async (route) => {
    held += 1
    await app.promise
    await route.continue()
  })
  await page.goto('/keys', { waitUntil: 'commit' })
  const main = page.locator('main')
  await main.getByText('Three keys are live.').waitFor()
  expect(held).toBeGreaterThan(0)
  expect(await page.getByRole('button').count()).toBe(0)
  const sentence = await main.locator('.lede').innerText()
  app.resolve()
  await pageSettled(page)
  await page.getByRole('button', { name: 'Create key' }).waitFor()
  expect(await main.locator('.lede').allInnerTexts()).toEqual([sentence])
  expect(await main.getByText('Three keys are live.').count()).toBe(1)
})
