import { beforeAll, expect } from 'vitest'
import { languages } from '../../src/site/pages.ts'
import { type BrowserSession, claimServer } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { isForStrangers, openPage, sitePages, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'

let helix: Helix
let owner: BrowserSession
beforeAll(async () => {
  helix = await openSiteServer()
  owner = await claimServer(helix)
  return helix.close
})

/** What sticks out of the window to the right; what scrolls inside a part of its own does not count. */
const wideParts = `(() => {
  if (document.documentElement.scrollWidth <= innerWidth) return []
  const scrolls = (part) => part !== null && (/auto|scroll|hidden|clip/.test(getComputedStyle(part).overflowX) || scrolls(part.parentElement))
  return [...document.body.querySelectorAll('*')]
    .filter((part) => part.getBoundingClientRect().right > innerWidth + 1 && !scrolls(part.parentElement))
    .map((part) => part.tagName + '.' + part.className + ' ' + part.getBoundingClientRect().right)
})()`

const widths = [1440, 768, 375]

for (const language of languages)
  test(`no page is wider than the window (${widths.join(', ')} px), in ${language}`, async () => {
    const stranger = await openVisitor(helix.url, { language })
    const member = await openVisitor(helix.url, { language })
    await takeCookies(member.context, helix.url, owner.cookies)
    const found: string[] = []
    for (const path of sitePages) {
      const { page } = isForStrangers(path) ? stranger : member
      await openPage(page, path)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        const parts = await page.evaluate(wideParts)
        for (const part of Array.isArray(parts) ? parts : []) found.push(`${path} at ${width} px: ${part}`)
      }
    }
    expect(found).toEqual([])
  })

test('each page has one head, a title and the language that it is written in', async () => {
  const { page, context } = await openVisitor(helix.url, { language: 'ja' })
  await takeCookies(context, helix.url, owner.cookies)
  const titles = new Set<string>()
  const pages = sitePages.filter((path) => !isForStrangers(path))
  for (const path of pages) {
    await openPage(page, path)
    expect(await page.locator('h1:visible').count(), path).toBe(1)
    expect(await page.locator('html').getAttribute('lang'), path).toBe('ja')
    titles.add(await page.title())
  }
  expect([...titles].filter((title) => !title.includes('Helix'))).toEqual([])
  expect(titles.size).toBe(pages.length)
})
