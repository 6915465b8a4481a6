import { beforeAll, expect } from 'vitest'
import { type BrowserSession, claimServer } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { isForStrangers, openPage, sitePages, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { seriousFaults } from './serious-faults.ts'

let helix: Helix
let owner: BrowserSession
beforeAll(async () => {
  helix = await openSiteServer()
  owner = await claimServer(helix)
  return helix.close
})

/** The other half of `axe.browser.test.ts`, in a file of its own so that both can run at once. */
test.for(sitePages)('axe finds nothing serious on %s, dark, 375 px', async (path) => {
  const { page, context } = await openVisitor(helix.url, { theme: 'dark', width: 375, language: 'ja' })
  if (!isForStrangers(path)) await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, path)
  expect(await seriousFaults(page)).toEqual([])
})
