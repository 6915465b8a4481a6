import type { Page, Route } from 'playwright-core'
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
  const answers = page.locator('.exchange.received')
  const count = await answers.count()
  await page.locator('.composer textarea').press('Enter')
  await answers.nth(count).locator('.answer').getByText('Understood.').waitFor()
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
}

/** From the next answer on, until it is released. */
const holdScript = async (page: Page) => {
  const released = Promise.withResolvers<void>()
  await page.route(/history-sync/, async (route) => {
    await released.promise
    await route.continue()
  })
  return { asked: page.waitForRequest(/history-sync/), release: released.resolve }
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

test('a conversation in the history stays one if the page is reloaded right after an answer', async () => {
  const page = await openAs(await signUp(helix.url, 'emma@example.com'), '/playground')
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
  })
  const created = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/conversations'),
  )
  await say(page, 'Tell me about lakes')
  await created
  await say(page, 'And ponds?')
  await page.reload()
  await page.locator('.turn.sent').getByText('And ponds?').waitFor()
  await page.getByRole('button', { name: 'History' }).click()
  const dialog = page.getByRole('dialog', { name: 'History' })
  await dialog.getByText('Tell me about lakes').waitFor()
  expect(await dialog.locator('.prompt b').allTextContents()).toEqual(['Tell me about lakes'])
  expect(refused).toEqual([])
})

test('a conversation stays one entry although the page is reloaded right after each of several answers', async () => {
  const page = await openAs(await signUp(helix.url, 'gina@example.com'), '/playground')
  await say(page, 'Tell me about seas')
  for (const text of ['And oceans?', 'And bays?', 'And coasts?']) {
    await page.reload()
    await page.locator('.turn.sent').getByText('Tell me about seas').waitFor()
    await say(page, text)
    await page.locator('.turn.sent').getByText(text).waitFor()
    await page.getByRole('button', { name: 'Regenerate: the answer' }).last().waitFor()
  }
  await page.reload()
  await page.locator('.turn.sent').getByText('And coasts?').waitFor()
  await page.getByRole('button', { name: 'History' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Tell me about seas').first().waitFor()
  expect(await dialog.locator('.prompt b').allTextContents()).toEqual(['Tell me about seas'])
})

test('a conversation that was saved without a word to the page goes on as the same one', async () => {
  const page = await openAs(await signUp(helix.url, 'hugo@example.com'), '/playground')
  // Each save arrives, and its response is lost.
  const saves = /\/platform\/playground\/conversations(\/cnv_\w+)?$/
  const arrived: string[] = []
  const lose = async (route: Route): Promise<void> => {
    await route.fetch()
    arrived.push(route.request().postData() ?? '')
    await route.abort()
  }
  await page.route(saves, (route) =>
    // What a page sends as it is left may end with it.
    route.request().method() === 'POST' ? lose(route).catch(() => {}) : route.continue(),
  )
  for (const text of ['Tell me about winds', 'And storms?']) {
    await say(page, text)
    await expect.poll(() => arrived.some((save) => save.includes(text))).toBe(true)
    await page.reload()
    await page.locator('.turn.sent').getByText(text).waitFor()
  }
  await page.unroute(saves)
  await say(page, 'And calm?')
  await page.getByRole('button', { name: 'History' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Tell me about winds').first().waitFor()
  expect(await dialog.locator('.prompt b').allTextContents()).toEqual(['Tell me about winds'])
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

test('a link can be created, and the list has the conversation, while the script of the history is on its way', async () => {
  const page = await openAs(await signUp(helix.url, 'finn@example.com'), '/playground')
  const script = await holdScript(page)
  await say(page, 'What came early?')
  await script.asked
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  script.release()
  await page.getByRole('link', { name: 'Link', exact: true }).waitFor()
  await page.getByRole('dialog').locator('.prompt b').getByText('What came early?').waitFor()
})

test('a link is listed although the list on its way is from before', async () => {
  const page = await openAs(await signUp(helix.url, 'kate@example.com'), '/playground')
  const created = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/shares'),
  )
  let lists = 0
  await page.route(/\/conversations\/cnv_\w+\/shares$/, async (route) => {
    if (route.request().method() !== 'GET' || ++lists > 1) return route.continue()
    const response = await route.fetch()
    await created
    await route.fulfill({ response }).catch(() => {})
  })
  await say(page, 'What is new?')
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('link', { name: 'Link', exact: true }).waitFor()
})

test('a conversation that is cleared while the script of the history is on its way is kept', async () => {
  const page = await openAs(await signUp(helix.url, 'ivan@example.com'), '/playground')
  const script = await holdScript(page)
  await say(page, 'What was cleared?')
  await script.asked
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.locator('.answer').waitFor({ state: 'detached' })
  script.release()
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('dialog').locator('.prompt b').getByText('What was cleared?').waitFor()
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
