import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
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

/** What is wrong, where, in one line each. */
const seriousFaults = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary = '' }) => `${id} ${target}: ${failureSummary}`))
}

/** Each theme once, each width once: what is found in one of the four is nearly always found in two. */
const looks = [
  { theme: 'light', width: 1440, language: 'en' },
  { theme: 'dark', width: 375, language: 'ja' },
] as const

for (const look of looks)
  test.for(sitePages)(`axe finds nothing serious on %s, ${look.theme}, ${look.width} px`, async (path) => {
    const { page, context } = await openVisitor(helix.url, look)
    if (!isForStrangers(path)) await takeCookies(context, helix.url, owner.cookies)
    await openPage(page, path)
    expect(await seriousFaults(page)).toEqual([])
  })
