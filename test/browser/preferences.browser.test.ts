import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openSiteServer()
  await claimServer(helix)
  return helix.close
})

const ground = (page: Page): Promise<unknown> =>
  page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
const light = 'rgb(247, 248, 246)'
const dark = 'rgb(14, 21, 25)'

test("the first page is in the browser's own language", async () => {
  for (const [language, word] of [
    ['en', 'Get a key'],
    ['ja', 'キー'],
  ] as const) {
    const { page } = await openVisitor(helix.url, { language })
    await page.goto('/')
    await page.getByRole('main').getByRole('link', { name: word }).first().waitFor()
  }
})

test('another language is one click away, stays on the next pages, and leaves no trace in the address', async () => {
  const { page } = await openVisitor(helix.url)
  await page.goto('/')
  await page.getByRole('link', { name: '日本語' }).click()
  await page.locator('html[lang="ja"]').waitFor({ state: 'attached' })
  expect(page.url()).toBe(`${helix.url}/`)
  await page.goto('/signin')
  await page.getByRole('heading', { level: 1, name: 'サインイン' }).waitFor()
  await page.getByRole('link', { name: 'English' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
})

test('changing the language keeps the token of a link', async () => {
  const { page } = await openVisitor(helix.url)
  await page.goto('/signup#invitation=abc')
  await page.getByRole('link', { name: '日本語' }).click()
  await page.locator('html[lang="ja"]').waitFor({ state: 'attached' })
  expect(page.url()).toBe(`${helix.url}/signup#invitation=abc`)
})

test("the theme is the system's until somebody chooses, and the choice stays", async () => {
  const { page } = await openVisitor(helix.url, { theme: 'dark' })
  await page.goto('/')
  expect(await ground(page)).toBe(dark)
  await page.getByRole('button', { name: 'Light' }).click()
  expect(await ground(page)).toBe(light)
  await page.goto('/docs')
  expect(await ground(page)).toBe(light)
  await page.getByRole('button', { name: 'System' }).click()
  expect(await ground(page)).toBe(dark)
})

test("in the reader's own colours a switch still shows whether it is on, and a slider where it stands", async () => {
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, (await signUp(helix.url, 'ada@example.com')).cookies)
  await page.emulateMedia({ forcedColors: 'active' })
  await openPage(page, '/usage')
  const knob = page.getByLabel('Compare with the previous period')
  const colours = () =>
    knob.evaluate((part) => [getComputedStyle(part).backgroundColor, getComputedStyle(part, '::after').backgroundColor])
  const [off, offKnob] = await colours()
  expect(offKnob).not.toBe(off)
  await knob.click()
  await expect.poll(() => knob.isChecked()).toBe(true)
  const [on, onKnob] = await colours()
  expect(on).not.toBe(off)
  expect(onKnob).not.toBe(on)
  await openPage(page, '/playground')
  await page.getByRole('slider', { name: 'Temperature' }).press('ArrowRight')
  expect(
    await page.getByRole('slider', { name: 'Temperature' }).evaluate((part) => getComputedStyle(part).appearance),
  ).toBe('auto')
})
