import { beforeAll, expect } from 'vitest'
import { type BrowserSession, claimServer } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { pageSettled, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'

let helix: Helix
let owner: BrowserSession
beforeAll(async () => {
  helix = await openSiteServer()
  owner = await claimServer(helix)
  await owner.post('/keys', { name: 'Soon', expiresAt: Date.now() + 86_400_000 })
  return helix.close
})

/** Opens a page whose app is not loaded until it is let. */
const openHeld = async (path: string, width = 1440) => {
  const { page, context } = await openVisitor(helix.url, { language: 'en', width, height: 812 })
  await takeCookies(context, helix.url, owner.cookies)
  const app = Promise.withResolvers<void>()
  let held = 0
  await page.route(/\/assets\/start-app-[^/]+\.js$/, async (route) => {
    held += 1
    await app.promise
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  return { page, main: page.locator('main'), isHeld: () => held > 0, letAppLoad: app.resolve }
}

test('a page says its sentence before the app is there, which then says it once, in its place', async () => {
  const { page, main, isHeld, letAppLoad } = await openHeld('/keys')
  await main.getByText('Three keys are live.').waitFor()
  expect(isHeld()).toBe(true)
  expect(await page.getByRole('button').count()).toBe(0)
  const sentence = await main.locator('.lede').innerText()
  letAppLoad()
  await pageSettled(page)
  await page.getByRole('button', { name: 'Create key' }).waitFor()
  expect(await main.locator('.lede').allInnerTexts()).toEqual([sentence])
  expect(await main.getByText('Three keys are live.').count()).toBe(1)
})

/** Notices, the sentence, and what stands below it. */
const textParts = [
  '.notices p',
  '.lede',
  '.empty :is(h2, p)',
  '.section > p',
  '.settings-section p',
  '.problems li > span',
  '.subtext',
  '.page-notes p',
]
  .map((part) => `main ${part}`)
  .join(', ')

const visits = [
  ['/home', 375],
  ['/keys', 375],
  ['/usage', 375],
  ['/limits', 375],
  ['/team', 375],
  ['/audit', 375],
  ['/playground', 375],
  ['/models', 375],
  ['/admin', 375],
  ['/admin/upstreams', 375],
  ['/admin/server', 375],
  // Here a button beside the sentence leaves it less room.
  ['/keys', 768],
  ['/usage', 768],
  ['/team', 768],
  ['/audit', 768],
  ['/playground/compare', 768],
  ['/admin/accounts', 768],
] as const

test.each(visits)(
  'what %s says before the app is there, the app says too, and in the same place (%d px)',
  async (path, width) => {
    const { page, main, letAppLoad } = await openHeld(path, width)
    await main.getByText('Key “Soon” expires').waitFor()
    const places = async () => {
      const seen = await page.locator(textParts).evaluateAll((parts) =>
        parts.map((part) => ({
          text: part.textContent.replaceAll(/\s+/g, ' ').trim(),
          top: part.getBoundingClientRect().top,
          bottom: part.getBoundingClientRect().bottom,
          width: part.getBoundingClientRect().width,
          isFirst: part.matches('.notices p, .lede'),
        })),
      )
      return seen.filter(({ text }) => text !== '')
    }
    const before = await places()
    letAppLoad()
    await pageSettled(page)
    const after = await places()
    expect(before.length).toBeGreaterThan(1)
    expect(after.map(({ text }) => text)).toEqual(expect.arrayContaining(before.map(({ text }) => text)))
    // The notice and the sentence stay where they are, and as large as they are.
    const edges = (all: typeof before) =>
      all.filter(({ isFirst }) => isFirst).map(({ top, bottom, width }) => [top, bottom, width].map(Math.round))
    expect(edges(after)).toEqual(edges(before))
  },
)

test('a page that is shown again after somebody signed out leaves, though its app never came', async () => {
  const { page, main, letAppLoad } = await openHeld('/keys')
  await main.getByText('keys are live').waitFor()
  await page.context().clearCookies()
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await main.getByText('keys are live').waitFor({ state: 'detached' })
  letAppLoad()
  await page.waitForURL(/\/signin/)
})

test.each(['en', 'ja'] as const)('a first load of the playground makes at most 30 requests (%s)', async (language) => {
  const { page, context } = await openVisitor(helix.url, { language })
  await takeCookies(context, helix.url, owner.cookies)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/playground', { waitUntil: 'networkidle' })
  await pageSettled(page)
  expect(asked.filter((path) => path === '/playground')).toHaveLength(1)
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(30)
})
