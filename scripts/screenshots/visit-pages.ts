import type { BrowserContext, Page } from 'playwright-core'
import type { ScreenshotWords } from '../../languages/words.ts'
import { openPage, pageSettled } from '../../test/harness/site-pages.ts'
import { lookedAtPages } from './looked-at-pages.ts'
import type { Demo } from './open-demo.ts'
import type { Shoot } from './shoot.ts'
import { visitFurtherPages } from './visit-further-pages.ts'

const dayMs = 24 * 60 * 60 * 1000
const password = 'plum harbour lantern'

/** Goes through the whole site as one person: claims the server, views the key, works for some weeks. `only` is the page that is wanted, if not all are. */
export const visitPages = async (
  demo: Demo,
  context: BrowserContext,
  words: ScreenshotWords,
  shoot: Shoot,
  only: 'playground' | null = null,
) => {
  const { server } = demo
  const page = await context.newPage()
  await page.goto(`/claim#${server.claimUrl?.split('#')[1]}`)
  await pageSettled(page)
  await shoot(page, 'claim')
  await page.locator('input[name="email"]').fill(words.person)
  await page.locator('input[name="password"]').fill(password)
  await page.locator('form:visible button[type="submit"]').click()
  await page.locator('.secret').waitFor()
  await page.locator('.live button').click()
  // A short answer may be complete before its caret was seen.
  await page.locator('.live .answer').filter({ hasText: words.answer }).waitFor()
  await page.locator('.live .caret').waitFor({ state: 'detached' })
  await page.locator('.secret button').focus()
  await shoot(page, 'welcome', true)
  await page.close({ runBeforeUnload: false })
  if (only === 'playground') return shootPlayground(await context.newPage(), words, shoot)
  await shootApp(demo, context, words, shoot)
  await shootPublic(context, shoot)
}

const shootApp = async (
  { clock }: Demo,
  context: BrowserContext,
  words: ScreenshotWords,
  shoot: Shoot,
): Promise<void> => {
  const page = await context.newPage()
  await openPage(page, '/keys')
  const post = (path: string, body: unknown): Promise<unknown> =>
    page.evaluate(`(async () => {
      const { csrfToken } = await (await fetch('/platform/session')).json()
      const headers = { 'content-type': 'application/json', 'x-csrf-token': csrfToken }
      return (await fetch(${JSON.stringify(`/platform${path}`)}, { method: 'POST', headers, body: ${JSON.stringify(JSON.stringify(body))} })).json()
    })()`)
  const { report, staging, desk } = words.keys
  await post('/keys', { name: report, expiresAt: null })
  const old = (await post('/keys', { name: staging, expiresAt: null })) as { id: string }
  clock.advance(12 * dayMs)
  await post(`/keys/${old.id}/revoke`, { name: staging })
  const key = (await post('/keys', { name: desk, expiresAt: clock.now() + 19 * dayMs })) as { id: string }
  for (let day = 0; day < 14; day += 1) {
    clock.advance(dayMs)
    for (let count = 0; count < askedOn(day); count += 1)
      await post('/playground/chat/completions', { model: 'helix-v1', messages: [{ role: 'user', content: report }] })
  }
  await context.clock.setFixedTime(clock.now())
  // A key expires soon. Notices are loaded after the page.
  const open = async (path: string): Promise<void> => {
    await openPage(page, path)
    await page.locator('section.notices').waitFor()
  }
  await open('/keys')
  await shoot(page, 'keys')
  await open(`/keys/${key.id}`)
  await shoot(page, 'key', true)
  await open('/limits')
  await shoot(page, 'limits')
  await open('/settings')
  await shoot(page, 'settings')
  await post('/organisation/invitations', { role: 'admin', email: words.colleague, send: 'link' })
  await open('/team')
  await shoot(page, 'team', true)
  await open('/audit')
  await shoot(page, 'audit')
  await open('/admin')
  await shoot(page, 'admin', true)
  await open('/admin/accounts')
  await shoot(page, 'admin-accounts')
  await open('/admin/organisations')
  await shoot(page, 'admin-organisations', true)
  await open('/admin/models')
  await shoot(page, 'admin-models')
  await open('/admin/server')
  await shoot(page, 'admin-server')
  await shootPlayground(page, words, shoot)
  await open('/playground?dialog=json&of=tools')
  await page.locator('.json-editor textarea').fill(brokenTools)
  await page.locator('.json-lines mark').waitFor()
  await shoot(page, 'playground-editor')
  await page.locator('.json-editor textarea').fill('')
  await open('/playground/compare')
  await page.locator('.compare-prompt button[type="submit"]').click()
  await page.locator('.compare .figures .request-id').nth(1).waitFor()
  await shoot(page, 'playground-compare', true)
  await open('/usage')
  await shoot(page, 'usage', true)
  await open('/requests')
  await shoot(page, 'requests', true)
  await page.locator('.table.requests a').first().click()
  await page.locator('.timing').waitFor()
  await shoot(page, 'request', true)
  const url = 'http://gpu-1.example:8000/v1'
  await post('/admin/upstreams', { name: 'gpu-1', url, kind: 'vllm', models: [{ name: 'large' }] })
  await open('/admin/upstreams')
  await shoot(page, 'admin-upstreams')
  await visitFurtherPages({ page, words, open, post, shoot })
  await openPage(page, '/welcome')
  await shoot(page, 'welcome-gone')
  await page.close()
}

const shootPlayground = async (page: Page, words: ScreenshotWords, shoot: Shoot): Promise<void> => {
  await openPage(page, '/playground')
  await shoot(page, 'playground-empty')
  for (const [index, { question }] of [words, ...words.further].entries()) {
    await page.locator('.composer textarea').fill(question)
    await page.locator('.composer textarea').press('Enter')
    // A short answer may be complete before its caret was seen.
    await page.locator('.conversation-area .timing-strip').nth(index).waitFor()
    await page.locator('.conversation-area .figures .request-id').nth(index).waitFor()
    await page.locator('.answer .caret').waitFor({ state: 'detached' })
  }
  // The code is coloured once the script for that is there.
  await page.locator('.answer pre span').first().waitFor()
  await shoot(page, 'playground', true)
}

/** A comma is missing. */
const brokenTools = `[
  {
    "type": "function",
    "function": {
      "name": "get_weather"
      "parameters": { "type": "object", "properties": { "city": { "type": "string" } } }
    }
  }
]`

/** More on some days, little at weekends. */
const askedOn = (day: number): number => (day % 7 > 4 ? 1 : 2 + ((day * 5) % 3))

const shootPublic = async (context: BrowserContext, shoot: Shoot): Promise<void> => {
  const page = await context.newPage()
  await context.clearCookies({ name: /^helix_(session|signed_in)$/ })
  for (const path of lookedAtPages.filter((each) => each !== '/claim')) {
    await openPage(page, path)
    await shoot(page, path === '/' ? 'landing' : path.slice(1).replaceAll('/', '-'))
  }
  await openPage(page, '/reset#a-link')
  await page.reload()
  await pageSettled(page)
  await shoot(page, 'reset-link')
  await openPage(page, '/nowhere')
  await shoot(page, 'not-found')
  await page.close()
}
