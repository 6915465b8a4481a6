import { expect } from 'vitest'
import type { LanguageCode } from '../../languages/language.ts'
import { appDetailPages } from '../../src/site-server/pages.ts'
import type { BrowserSession } from '../harness/browser-session.ts'
import { openVisitor } from '../harness/open-visitor.ts'
import { isForStrangers, openPage, sitePages, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { accessibilityViolations } from './accessibility-violations.ts'
import type { DetailPage } from './details.ts'

/** A theme, a width and a language in which pages are looked at. */
export type Appearance = { theme: 'light' | 'dark'; width: number; language: LanguageCode }

const widths = [1440, 768, 375]

/**
 * Every page in one of the two appearances, each half of them in another; with `BROWSER_GRID=full`, as in `.ci/run`, every
 * page in both.
 */
export const pagesOf = (half: 0 | 1): readonly string[] => halfOf(sitePages, half)

/** The same of the pages of one thing. */
export const detailPagesOf = (half: 0 | 1): readonly DetailPage[] => halfOf(appDetailPages, half)

const halfOf = <Path>(paths: readonly Path[], half: 0 | 1): readonly Path[] =>
  process.env.BROWSER_GRID === 'full' ? paths : paths.filter((_, index) => index % 2 === half)

/** What must hold for every page: nothing serious that axe can find, one head, a title, its language, and no width too much. */
export const checkPage = async (helix: Helix, owner: BrowserSession, path: string, appearance: Appearance) => {
  const { page, context } = await openVisitor(helix.url, appearance)
  if (!isForStrangers(path)) await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, path)
  expect(await accessibilityViolations(page)).toEqual([])
  expect(await page.locator('h1:visible').count()).toBe(1)
  expect(await page.locator('html').getAttribute('lang')).toBe(appearance.language)
  expect(await page.title()).toContain('Helix')
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(wideParts), `at ${width} px`).toEqual([])
  }
  return page.title()
}

/** What sticks out of the window to the right; what scrolls inside a part of its own does not count. */
const wideParts = `(() => {
  if (document.documentElement.scrollWidth <= innerWidth) return []
  const scrolls = (part) => part !== null && (/auto|scroll|hidden|clip/.test(getComputedStyle(part).overflowX) || scrolls(part.parentElement))
  return [...document.body.querySelectorAll('*')]
    .filter((part) => part.getBoundingClientRect().right > innerWidth + 1 && !scrolls(part.parentElement))
    .map((part) => part.tagName + '.' + part.className + ' ' + part.getBoundingClientRect().right)
})()`
