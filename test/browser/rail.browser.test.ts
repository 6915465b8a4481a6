import { beforeAll, expect } from 'vitest'
import { type BrowserSession, claimServer } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'

let helix: Helix
let owner: BrowserSession
beforeAll(async () => {
  helix = await openSiteServer()
  owner = await claimServer(helix)
  return helix.close
})

/** At 200 %, a window of 1440×900 has half as many pixels of CSS each way. */
const windows = [
  [1024, 690],
  [1024, 768],
  [1366, 650],
  [720, 450],
  [844, 390],
] as const

test('every link and button of the rail can be scrolled to and clicked, however low the window is', async () => {
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/limits')
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height })
    const { reached, covered } = await page.evaluate(findCovered)
    expect(covered, `at ${width}×${height}`).toEqual([])
    expect(reached, `at ${width}×${height}`).toEqual(
      expect.arrayContaining(['/', '/playground', '/settings', width < 1100 ? '/admin' : '/admin/audit', 'button']),
    )
  }
  await page.setViewportSize({ width: 720, height: 450 })
  await page.locator('.rail .admin-entry').hover()
  const label = page.locator('.rail .admin-entry .word')
  await expect.poll(() => label.evaluate((word) => getComputedStyle(word).opacity)).toBe('1')
  const { x = 0, width = 0 } = (await label.boundingBox()) ?? {}
  expect([x >= 56, width > 60]).toEqual([true, true])
  // Beside the icons, the page is clicked and not the rail.
  expect(await page.evaluate(() => document.elementFromPoint(100, 225)?.closest('.rail') === null)).toBe(true)
})

test('beside the narrowest rail, the table of nodes is no wider than the page', async () => {
  const { page, context } = await openVisitor(helix.url, { language: 'ja', width: 720 })
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/admin/nodes')
  await page.locator('.table.nodes').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(720)
})

/** Those in the rail whose centre is not their own once they are in sight. */
const findCovered = () => {
  const shown = [...document.querySelectorAll<HTMLElement>('.rail :is(a, button)')].filter(
    (each) => each.checkVisibility() && each.closest('[popover]') === null,
  )
  const nameOf = (each: HTMLElement) => each.getAttribute('href') ?? 'button'
  const covered = shown.flatMap((each) => {
    each.scrollIntoView({ block: 'nearest' })
    const { left, top, width, height } = each.getBoundingClientRect()
    const found = document.elementFromPoint(left + width / 2, top + height / 2)
    return found !== null && each.contains(found) ? [] : [`${nameOf(each)} lies under ${found?.outerHTML.slice(0, 80)}`]
  })
  return { reached: shown.map(nameOf), covered }
}
