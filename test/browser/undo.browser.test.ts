import { beforeAll, expect } from 'vitest'
import { type BrowserSession, claimServer } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { withoutLongTimers } from './without-long-timers.ts'

let helix: Helix
let owner: BrowserSession
beforeAll(async () => {
  helix = await openSiteServer({ answer: () => ['Hello', '.'] })
  owner = await claimServer(helix)
  return helix.close
})

test.each([375, 768, 1440])(
  'after Clear, Undo ends with the next message and does not cover the field (%i px)',
  async (width) => {
    const { page, context } = await openVisitor(helix.url, { width })
    await takeCookies(context, helix.url, owner.cookies)
    await page.addInitScript({ content: withoutLongTimers })
    await openPage(page, '/playground')
    const field = page.locator('.composer textarea')
    const undo = page.locator('.toast').getByRole('button', { name: 'Undo' })
    if (await page.getByRole('button', { name: 'Clear' }).isVisible())
      await page.getByRole('button', { name: 'Clear' }).click()
    await field.fill('First')
    await field.press('Enter')
    await page.locator('.answer').getByText('Hello.').waitFor()

    await page.getByRole('button', { name: 'Clear' }).click()
    const [line, box] = await Promise.all([
      page.locator('.toast').boundingBox(),
      page.locator('.composer').boundingBox(),
    ])
    expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0)
    await undo.click()
    await page.locator('.exchange.sent').getByText('First').waitFor()

    await page.getByRole('button', { name: 'Clear' }).click()
    // The line stays while the pointer is over it, so only its end removes it.
    await undo.hover()
    await field.fill('Second')
    await undo.waitFor({ state: 'hidden' })
    await field.press('Enter')
    await page.locator('.answer').getByText('Hello.').waitFor()
    expect(await undo.count()).toBe(0)
    await page.locator('.exchange.sent').getByText('Second').waitFor()
  },
)
