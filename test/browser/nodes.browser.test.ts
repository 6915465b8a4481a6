import { beforeAll, expect } from 'vitest'
import { type BrowserSession, claimServer } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import { type Helix, modelName } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

let helix: Helix
let owner: BrowserSession
beforeAll(async () => {
  helix = await openSiteServer({ config: { nodeName: 'helix-1' } })
  owner = await claimServer(helix)
  return helix.close
})

const open = async (options: Parameters<typeof openVisitor>[1] = {}) => {
  const visitor = await openVisitor(helix.url, options)
  await takeCookies(visitor.context, helix.url, owner.cookies)
  await openPage(visitor.page, '/admin/nodes')
  return visitor
}

test('the owner sees a single server as one node, with its version, load and models', async () => {
  const { page } = await open()
  await page.getByText('One node.').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'helix-1' })
  // The server shares the process, and so the memory, of other tests.
  for (const text of ['Running', modelName, 'Up since', /[MG]B/]) await row.getByText(text).first().waitFor()
  expect(await page.getByRole('link', { name: 'Nodes' }).getAttribute('aria-current')).toBe('page')
  expect(await accessibilityViolations(page)).toEqual([])
})

test('the page is in Japanese, dark and on a phone', async () => {
  const { page } = await open({ language: 'ja', width: 375, theme: 'dark' })
  await page.getByText('ノードは1台です。').waitFor()
  await page.getByText('稼働中').first().waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})
