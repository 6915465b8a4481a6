import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { type BrowserSession, claimServer, joinAs, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openSiteServer({ answer: () => ['Under', 'stood', '.'] })
  await claimServer(helix)
  return helix.close
})

const openAs = async (browser: BrowserSession, path: string): Promise<Page> => {
  const { page, context } = await openVisitor(helix.url, { width: 1440 })
  await takeCookies(context, helix.url, browser.cookies)
  await openPage(page, path)
  return page
}

const say = async (page: Page, text: string): Promise<void> => {
  await page.locator('.composer textarea').fill(text)
  await page.locator('.composer textarea').press('Enter')
  await page.locator('.answer').getByText('Understood.').last().waitFor()
}

test('conversations are kept in the history: found, renamed, pinned, opened again and deleted', async () => {
  const page = await openAs(await signUp(helix.url, 'anna@example.com'), '/playground')
  await say(page, 'Tell me about rivers')
  await page.getByRole('button', { name: 'Clear' }).click()
  await say(page, 'Tell me about mountains')
  await page.getByRole('button', { name: 'History' }).click()
  const dialog = page.getByRole('dialog', { name: 'History' })
  const rows = dialog.locator('.prompt b')
  await dialog.getByText('Tell me about rivers').waitFor()
  await dialog.getByText('Tell me about mountains').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByLabel('Search titles and messages').fill('RIVERS')
  await expect.poll(() => rows.allTextContents()).toEqual(['Tell me about rivers'])
  await dialog.getByRole('button', { name: 'Rename Tell me about rivers' }).click()
  await dialog.getByLabel('Name').fill('Long rivers')
  await dialog.getByRole('button', { name: 'Save name' }).click()
  await dialog.getByRole('button', { name: 'Pin: Long rivers' }).click()
  await dialog.getByRole('button', { name: 'Unpin: Long rivers' }).waitFor()
  await dialog.getByLabel('Search titles and messages').fill('')
  await expect.poll(() => rows.allTextContents()).toEqual(['Long rivers', 'Tell me about mountains'])
  await dialog.getByRole('button', { name: 'Open Long rivers' }).click()
  await page.locator('.turn.sent').getByText('Tell me about rivers').waitFor()
  await page.reload()
  await page.locator('.turn.sent').getByText('Tell me about rivers').waitFor()
  await page.getByRole('button', { name: 'History' }).click()
  await dialog.getByRole('button', { name: 'Delete Tell me about mountains' }).click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.poll(() => rows.allTextContents()).toEqual(['Long rivers'])
})

test('a link opens a copy for another member, who continues it as their own; revoked, it opens nothing', async () => {
  const ben = await signUp(helix.url, 'ben@example.com')
  const cleo = await joinAs(helix.url, ben, 'member', 'cleo@example.com')
  const page = await openAs(ben, '/playground')
  await say(page, 'What is shared?')
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  const path = (await page.getByRole('link', { name: 'Link', exact: true }).getAttribute('href')) ?? ''
  const other = await openAs(cleo, path)
  await other.getByText('Shared by ben@example.com').waitFor()
  await other.locator('.turn.sent').getByText('What is shared?').waitFor()
  expect(await accessibilityViolations(other)).toEqual([])
  await other.getByRole('button', { name: 'Continue as your own copy' }).click()
  await other.waitForURL('**/playground')
  await say(other, 'And then?')
  await page.getByRole('button', { name: 'Revoke link' }).click()
  await page.getByRole('link', { name: 'Link', exact: true }).waitFor({ state: 'detached' })
  await openPage(other, path)
  await other.getByText('This link does not work.').waitFor()
})

test('a conversation is kept although another organisation is chosen at once', async () => {
  const dana = await signUp(helix.url, 'dana@example.com')
  await dana.post('/organisations', { name: 'Second' })
  const page = await openAs(dana, '/playground')
  await say(page, 'Kept in the second')
  await page.getByRole('button', { name: /^Organisation:/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: /dana/ }).click()
  await page.locator('.answer').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Organisation:/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Second/ })
    .click()
  await page.locator('.turn.sent').getByText('Kept in the second').waitFor()
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('dialog').getByText('Kept in the second').waitFor()
})
