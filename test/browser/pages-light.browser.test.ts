import { beforeAll, expect } from 'vitest'
import { type BrowserSession, claimServer } from '../harness/browser-session.ts'
import { test } from '../harness/open-visitor.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { type Appearance, checkPage, detailPagesOf, pagesOf } from './check-page.ts'
import { makeDetails } from './details.ts'

let helix: Helix
let owner: BrowserSession
let details: Awaited<ReturnType<typeof makeDetails>>
beforeAll(async () => {
  helix = await openSiteServer()
  owner = await claimServer(helix)
  details = await makeDetails(owner)
  return helix.close
})

const appearance: Appearance = { theme: 'light', width: 1440, language: 'en' }
const titles = new Map<string, string>()

test.for(pagesOf(0))('%s is accessible, fits its window and says what it is: light, 1440 px, en', async (path) => {
  titles.set(path, await checkPage(helix, owner, path, appearance))
})

test.for(detailPagesOf(0))(
  '%s is accessible, fits its window and says what it is: light, 1440 px, en',
  async (page) => {
    titles.set(page, await checkPage(helix, owner, details[page], appearance))
  },
)

test('no two pages have the same title', () => {
  expect(new Set(titles.values()).size).toBe(titles.size)
})
