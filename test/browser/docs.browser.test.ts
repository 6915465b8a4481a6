import type { Route } from 'playwright-core'
import { beforeAll, expect, onTestFinished } from 'vitest'
import { guideDocuments, operateDocuments } from '../../src/site-server/pages.ts'
import { claimServer } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, pageSettled, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { watchShifts } from '../harness/watch-shifts.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

let helix: Helix
let owner: Awaited<ReturnType<typeof claimServer>>
beforeAll(async () => {
  helix = await openSiteServer({ answer: () => ['Hello', ', ', 'world', '!'] })
  owner = await claimServer(helix)
  return helix.close
})

test('the docs are searched by keyboard, and show a signed-in reader the own key and a request to send', async () => {
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/docs')
  const ending = owner.firstKey.key.slice(-4)
  await page.locator('[data-your-key]').getByText(`…${ending}`).waitFor()
  // A shortened key in an example would be copied with it, and would not work.
  expect(await page.locator('pre').allTextContents()).not.toContainEqual(expect.stringMatching(/hx_/))
  expect(await page.content()).not.toContain(owner.firstKey.key)

  await page.keyboard.press('/')
  await page.keyboard.type('logit_bias')
  await page.locator('#docs-found a').first().waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/docs\/(api\/[a-z-]+|compatibility)#/)

  await openPage(page, '/docs/api/chat-completions')
  await page.locator('#createChatCompletion').getByText('Try it', { exact: true }).click()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('#createChatCompletion output').getByText('[DONE]').waitFor()
  await page.getByRole('link', { name: 'Show this request' }).click()
  await page.getByText(/^Answered in/).waitFor()
})

test('an endpoint without a session is tried with a key that the reader types, and needs no account', async () => {
  const { page } = await openVisitor(helix.url)
  await openPage(page, '/docs/api/keys')
  const panel = page.locator('#getOwnKey .try-it')
  await panel.locator('> summary').click()
  const [key, send, state] = [
    panel.getByLabel('API key'),
    panel.getByRole('button', { name: 'Send' }),
    panel.getByRole('status'),
  ]
  await send.click()
  await state.getByText('Enter an API key.').waitFor()
  await key.fill(owner.firstKey.key)
  await send.click()
  await state.getByText('200 application/json').waitFor()
  expect(await panel.locator('output').textContent()).toContain('"name": "First key"')
  expect(await accessibilityViolations(page)).toEqual([])

  // The key is there for the next endpoint, and an error is shown as it was sent.
  const other = page.locator('#getKey .try-it')
  await other.locator('> summary').click()
  await other.getByRole('button', { name: 'Send' }).click()
  await other.getByText(/^Enter a path that begins with \/v1\//).waitFor()
  await other.getByLabel('GET').fill('/v1/keys/key_1')
  await other.getByRole('button', { name: 'Send' }).click()
  await other.getByText('403 application/json').waitFor()
  expect(await other.locator('output').textContent()).toContain("required scope 'manage'")
  expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])')).not.toContain('hx_')
})

test('the search stays in sight where the list of pages and the page are scrolled', async () => {
  const { page } = await openVisitor(helix.url)
  await openPage(page, '/docs/operate/logs')
  await expect.poll(() => page.locator('.docs-pages [aria-current="page"]').evaluate(isInWindow)).toBe(true)
  expect(await page.getByRole('searchbox').evaluate(isInWindow)).toBe(true)
  await page.mouse.wheel(0, 400)
  await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0)
  expect(await page.getByRole('searchbox').evaluate(isInWindow)).toBe(true)
})

test('a page is copied as Markdown, and a sample in the language that was chosen', async () => {
  const { page, context } = await openVisitor(helix.url)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openPage(page, '/docs/api/embeddings')
  await page.getByRole('tab', { name: 'C#', exact: true }).click()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`new Uri("${helix.url}/v1")`)
  await page.getByRole('button', { name: 'Copy as Markdown' }).click()
  await page.locator('.page-tools').getByText('Copied', { exact: true }).waitFor()
  const copied = await page.evaluate('navigator.clipboard.readText()')
  expect(copied).toMatch(/^# Embeddings\n/)
  expect(copied).toContain('```csharp\n')
  expect(copied).toContain(`${helix.url}/v1`)
})

test('nothing moves when the typeface of code arrives, nor when the reader’s key is named', async () => {
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, owner.cookies)
  const { waitUntilPainted, shifted } = await watchShifts(page)
  for (const path of ['/docs/guides/clients', '/docs/api/rerank']) {
    const asked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const hold = async (route: Route): Promise<void> => {
      asked.resolve()
      await released.promise
      await route.continue()
    }
    const late = /\/ibm-plex-mono[^/]*\.woff2$|\/platform\/keys$/
    await context.route(late, hold)
    await page.goto(path, { waitUntil: 'domcontentloaded' })
    await asked.promise
    await waitUntilPainted()
    released.resolve()
    await pageSettled(page)
    if (path.includes('/api/')) await page.locator('[data-your-key] b').getByText('First key').waitFor()
    expect(await page.evaluate('document.fonts.check(\'14px "IBM Plex Mono"\')')).toBe(true)
    expect(await shifted()).toBeLessThanOrEqual(0.02)
    await context.unroute(late, hold)
  }
})

test('no document for users or operators is wider than a phone', async () => {
  const { page } = await openVisitor(helix.url, { width: 375 })
  const wide: string[] = []
  for (const path of [...guideDocuments, ...operateDocuments]) {
    await page.goto(path, { waitUntil: 'domcontentloaded' })
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) wide.push(path)
  }
  expect(wide).toEqual([])
})

test('the contents of a page stand beside it where there is room, and the next page is one click away', async () => {
  const { page } = await openVisitor(helix.url)
  await openPage(page, '/docs/streaming')
  const contents = page.getByRole('navigation', { name: 'On this page' })
  const text = page.getByRole('main')
  const [aside, main] = [await contents.boundingBox(), await text.boundingBox()]
  expect(aside?.x).toBeGreaterThan((main?.x ?? 0) + 640)
  expect(aside?.y).toBeLessThan(400)
  await page.getByRole('link', { name: 'Next Tools' }).click()
  await page.waitForURL('**/docs/tools')
  // The list of pages is longer than the window: the current one is in sight.
  await openPage(page, '/docs/operate/platforms')
  await expect.poll(() => page.locator('.docs-pages [aria-current="page"]').evaluate(isInWindow)).toBe(true)
})

const isInWindow = (element: Element): boolean => {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}

test('a line of Japanese does not end inside a flag', async () => {
  const { page } = await openVisitor(helix.url, { language: 'ja', width: 375 })
  await openPage(page, '/docs/operate/config')
  const flag = page.locator('p code').getByText('--config PATH', { exact: true })
  expect(await flag.evaluate((code) => code.getClientRects().length)).toBe(1)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})

test('the request to try names a model that the server has', async () => {
  const other = await openSiteServer({ engine: { model: { id: 'larger' } } })
  onTestFinished(other.close)
  const { page, context } = await openVisitor(other.url)
  await takeCookies(context, other.url, (await claimServer(other)).cookies)
  await openPage(page, '/docs/api/chat-completions')
  await page.locator('#createChatCompletion').getByText('Try it', { exact: true }).click()
  const body = page.locator('#createChatCompletion').getByLabel('Body', { exact: true })
  await expect.poll(() => body.inputValue()).toContain('"model": "larger"')
})

test('a request can be sent once the script that sends it is loaded, not before', async () => {
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, owner.cookies)
  const asked = Promise.withResolvers<void>()
  const loaded = Promise.withResolvers<void>()
  await context.route(/\/try-it[^/]*\.js$/, async (route) => {
    asked.resolve()
    await loaded.promise
    await route.continue()
  })
  await openPage(page, '/docs/api/models')
  const section = page.locator('#listModels')
  await section.getByText('Try it', { exact: true }).click()
  await asked.promise
  const send = section.getByRole('button', { name: 'Send', exact: true })
  expect(await send.isDisabled()).toBe(true)
  loaded.resolve()
  await send.click()
  await section.locator('output').getByText('"object": "list"').first().waitFor()
})

test('a panel that was opened before the script of the docs was there can send', async () => {
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, owner.cookies)
  const asked = Promise.withResolvers<void>()
  const loaded = Promise.withResolvers<void>()
  await context.route(/\/docs-[^/]*\.js$/, async (route) => {
    asked.resolve()
    await loaded.promise
    await route.continue()
  })
  await openPage(page, '/docs/api/models')
  await asked.promise
  const section = page.locator('#listModels')
  await section.getByText('Try it', { exact: true }).click()
  await section.getByRole('button', { name: 'Send', exact: true }).waitFor()
  loaded.resolve()
  await section.getByRole('button', { name: 'Send', exact: true }).click()
  await section.locator('output').getByText('"object": "list"').first().waitFor()
})

test('in Japanese on a phone the search and the contents work, and a visitor is asked to sign in to try', async () => {
  const { page } = await openVisitor(helix.url, { language: 'ja', width: 375 })
  await openPage(page, '/docs/api/chat-completions')
  await page.getByText('このページの内容', { exact: true }).last().click()
  expect(await page.locator('.contents a:visible').count()).toBeGreaterThan(4)
  await page.getByText('試してみる', { exact: true }).first().click()
  await page.getByRole('link', { name: 'サインインすると' }).waitFor()
  const current = page.locator('.docs-pages [aria-current="page"]')
  await openPage(page, '/docs/compatibility')
  const box = await current.boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(375)
  await page.getByRole('searchbox').fill('再試行')
  await page.locator('#docs-found a').first().waitFor()
  await page.getByRole('searchbox').fill('存在しない言葉')
  await page.locator('#docs-found').getByText('見つかりませんでした。').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await page.getByRole('searchbox').fill('再試行')
  await page.locator('#docs-found a').first().waitFor()
  await page.locator('.lede').click({ force: true, position: { x: 5, y: 5 } })
  await page.locator('#docs-found').waitFor({ state: 'hidden' })
})

test.each([
  { language: 'en', tryIt: 'Try it', send: 'Send', request: 'Show this request' },
  { language: 'ja', tryIt: '試してみる', send: '送信', request: 'このリクエストを表示' },
] as const)(
  'every call that a session can send is tried from the reference, and answers as with a key: $language',
  async ({ language, tryIt, send, request }) => {
    const { page, context } = await openVisitor(helix.url, { language })
    await takeCookies(context, helix.url, owner.cookies)
    const calls: [string, string, string][] = [
      ['responses', 'createResponse', 'response.completed'],
      ['completions', 'createCompletion', 'text_completion'],
      ['models', 'listModels', '"object": "list"'],
      // The scripted server has no embedding model and no reranker, and says so.
      ['embeddings', 'createEmbedding', 'helix-v1'],
      ['rerank', 'createRerank', 'helix-v1'],
      ['rerank', 'createScore', 'helix-v1'],
      ['messages', 'createMessage', 'message_stop'],
    ]
    for (const [name, id, expected] of calls) {
      if (!page.url().endsWith(`/docs/api/${name}`)) await openPage(page, `/docs/api/${name}`)
      const section = page.locator(`#${id}`)
      await section.getByText(tryIt, { exact: true }).click()
      await section.getByRole('button', { name: send, exact: true }).click()
      await section.locator('output').getByText(expected).first().waitFor()
      expect([id, await section.getByRole('link', { name: request }).isVisible()]).toEqual([id, id !== 'listModels'])
    }
    expect(await accessibilityViolations(page, 'details[open]')).toEqual([])
    await page.locator('#createMessage').getByRole('link', { name: request }).click()
    await page
      .getByRole('main')
      .getByText(language === 'ja' ? 'プレイグラウンド' : 'Playground', { exact: true })
      .first()
      .waitFor()
  },
)

test('on a phone, each setting is a card as wide as the window, and says what its cells are', async () => {
  const { page } = await openVisitor(helix.url, { width: 375 })
  await openPage(page, '/docs/operate/config#setting-smtpUrl')
  const tooWide =
    '[...document.querySelectorAll(".table-frame")].filter((one) => one.scrollWidth > one.clientWidth).length'
  expect(await page.evaluate(tooWide)).toBe(0)
  const row = page.locator('#setting-smtpUrl')
  const label = await row
    .locator('td')
    .nth(2)
    .evaluate((cell) => getComputedStyle(cell, '::before').content)
  expect(label).toContain('default')
  expect(await row.evaluate((one) => one.getBoundingClientRect().width)).toBeLessThan(375)
})
