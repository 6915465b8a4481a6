import { beforeAll, expect } from 'vitest'
import { type BrowserSession, claimServer } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

let helix: Helix
let owner: BrowserSession
beforeAll(async () => {
  helix = await openSiteServer({
    answer: (_, sampling) => (sampling.temperature === 0 ? ['Cold', '.'] : ['Warm', '.']),
  })
  owner = await claimServer(helix)
  return helix.close
})

const open = async (path: string) => {
  const visitor = await openVisitor(helix.url)
  await takeCookies(visitor.context, helix.url, owner.cookies)
  await openPage(visitor.page, path)
  return visitor
}

test('one prompt is answered with two settings, each beside the other, each with its request', async () => {
  const { page } = await open('/playground')
  await page.getByRole('link', { name: 'Compare' }).click()
  const a = page.getByRole('region', { name: 'Setting A' })
  const b = page.getByRole('region', { name: 'Setting B' })
  await b.getByLabel('Temperature').fill('9')
  await page.getByLabel('Prompt', { exact: true }).fill('How is it?')
  await page.getByRole('button', { name: 'Run both' }).click()
  await page.getByText('Nothing was sent.').waitFor()
  await b.getByLabel('Temperature').fill('1.5')
  await page.getByRole('button', { name: 'Run both' }).click()
  await a.locator('.answer').getByText('Cold.').waitFor()
  await b.locator('.answer').getByText('Warm.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  const [first, second] = await Promise.all([a, b].map((side) => side.locator('.request-id').textContent()))
  expect(first).toMatch(/^req_\w+$/)
  expect(second).not.toBe(first)
  await b.locator('.request-id').click()
  await page.waitForURL(`**/requests/${second}`)
  await page
    .getByText(second ?? '')
    .first()
    .waitFor()
})

test('an answer of the playground links to its request', async () => {
  const { page } = await open('/playground')
  await page.locator('.composer textarea').fill('Hi')
  await page.locator('.composer textarea').press('Enter')
  await page.locator('.answer').getByText('Warm.').waitFor()
  const id = await page.locator('.request-id').textContent()
  await page.locator('.request-id').click()
  await page.waitForURL(`**/requests/${id}`)
})
