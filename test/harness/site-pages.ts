import type { BrowserContext, Page } from 'playwright-core'
import { lookedAtPages } from '../../scripts/screenshots/looked-at-pages.ts'
import { appPages } from '../../src/site-server/pages.ts'

/** Every page that a browser can show, of those with the same template a few, including the one for unknown addresses. */
export const sitePages: readonly string[] = [...lookedAtPages, ...appPages, '/nowhere']

/** Signed-in people are redirected from these. */
export const isForStrangers = (path: string): boolean => /^\/(signin|signup)$/.test(path)

/** Opens a page and waits until it is complete. */
export const openPage = async (page: Page, path: string): Promise<void> => {
  await page.goto(path)
  await pageSettled(page)
}

/** The app is there, the header is shown, nothing is loading, and the typefaces are in use. */
export const pageSettled = async (page: Page): Promise<void> => {
  await page.locator('[data-frame]').waitFor({ state: 'detached' })
  await page.locator('h1:visible').first().waitFor()
  await page.locator('.skeleton-line').first().waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready.then(() => null)')
}

/** Gives a browser the cookies of a person who signed in elsewhere. */
export const takeCookies = (context: BrowserContext, url: string, cookies: ReadonlyMap<string, string>) =>
  context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })))
