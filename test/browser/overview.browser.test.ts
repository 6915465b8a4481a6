import { beforeAll, expect } from 'vitest'
import { type BrowserSession, claimServer, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import { type Helix, modelName } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

let helix: Helix
let owner: BrowserSession
beforeAll(async () => {
  helix = await openSiteServer({ hasConfigChanged: async () => true })
  owner = await claimServer(helix)
  for (const model of [modelName, modelName, 'unknown']) await (await helix.chat({ model })).text()
  return helix.close
})

const open = async (options: Parameters<typeof openVisitor>[1] = {}, person = owner) => {
  const visitor = await openVisitor(helix.url, options)
  await takeCookies(visitor.context, helix.url, person.cookies)
  await openPage(visitor.page, '/admin')
  return visitor
}

test('the owner sees what is wrong, who used the server, what was rejected and the state of its parts', async () => {
  const { page } = await open()
  await page.getByText('One thing needs attention.').waitFor()
  await page.getByRole('link', { name: 'Show settings' }).waitFor()
  await page.getByText('model_not_found').waitFor()
  const used = page.getByRole('table', { name: 'Models by tokens' }).getByRole('row').filter({ hasText: modelName })
  expect((await used.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/ 2 0$/)
  await page.getByText('1 running').waitFor()
  await page.getByRole('button', { name: '7 days' }).click()
  await page.waitForURL('**/admin?days=7')
  expect(await page.getByRole('link', { name: 'Overview' }).getAttribute('aria-current')).toBe('page')
})

test('the page is in Japanese, dark and on a phone', async () => {
  const { page } = await open({ language: 'ja', width: 375, theme: 'dark' })
  await page.getByText('確認が必要な項目が1件あります。').waitFor()
  await page.getByText('拒否したリクエスト').first().waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})

test('a member sees that this page is for the owner', async () => {
  const { page } = await open({}, await signUp(helix.url, 'anna@example.com'))
  await page.getByText('Only the server’s owner').waitFor()
})
