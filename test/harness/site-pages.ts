import type { BrowserContext, Page } from 'playwright-core'
import { appPages, publicPages } from '../../src/site-server/pages.ts'

/** Every page that a browser can show, the one for addresses where nothing is included. */
export const sitePages: readonly string[] = [...publicPages, ...appPages, '/nowhere']

/** Whoever is signed in is sent away from these. */
export const isForStrangers = (path: string): boolean => /^\/(signin|signup)$/.test(path)

/** Goes to a page and waits until all of it is there. */
export const openPage = async (page: Page, path: string): Promise<void> => {
  await page.goto(path)
  await pageSettled(page)
}

/** The head is shown, nothing is loading, and the typefaces are in use. */
export const pageSettled = async (page: Page): Promise<void> => {
  await page.locator('h1:visible').first().waitFor()
  await page.locator('.skeleton-line').first().waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready.then(() => null)')
}

/** Gives a browser the cookies of somebody who signed in elsewhere. */
export const takeCookies = (context: BrowserContext, url: string, cookies: ReadonlyMap<string, string>) =>
  context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })))
