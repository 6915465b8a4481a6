import { beforeAll, expect } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { defaultUpstream, defaultUpstreamModel } from '../../src/upstreams/default-upstream.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { type BrowserSession, claimServer, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { scriptModels } from '../harness/scripted-models.ts'
import { say, sayJson, startUpstream } from '../harness/scripted-upstream.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

const silent = { info: () => {}, warn: () => {}, error: () => {} }
/** One euro for each token of the prompt, two for each of the answer. */
const price = { promptMicros: 1_000_000_000_000, cachedMicros: 0, completionMicros: 2_000_000_000_000 }
let helix: Helix
let owner: BrowserSession
let requestId: string
beforeAll(async () => {
  // It counts 7 tokens of the prompt and 3 of the answer.
  const upstream = await startUpstream((response, { body }) =>
    body.stream === true ? say(response, 'O', 'K', '.') : sayJson(response, { content: 'OK' }),
  )
  const upstreams = createUpstreamSet({ clock: systemClock, log: silent })
  const local = scriptModels([{ id: 'helix-v1' }])
  const openModels: Parameters<typeof openSiteServer>[0] = {
    upstreams,
    openModels: (config) => local.open(config, systemClock, upstreams),
    config: { currency: 'EUR' },
  }
  helix = await openSiteServer(openModels)
  const models = [{ ...defaultUpstreamModel, name: 'large', upstreamName: 'large', price }]
  upstreams.replace([{ ...defaultUpstream, name: 'gpu-1', baseUrl: upstream.baseUrl, models }])
  owner = await claimServer(helix)
  const limits = { costPerDayMicros: 40_000_000 }
  const made = (await (await owner.post('/keys', { name: 'nightly', expiresAt: null, limits })).json()) as {
    key: string
  }
  const response = await fetch(`${helix.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${made.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'large', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 10 }),
  })
  expect(response.status).toBe(200)
  requestId = response.headers.get('x-request-id') ?? ''
  return helix.close
})

test.each([
  { language: 'en', budget: 'today €13.00 of €40.00', upstream: 'Upstream' },
  { language: 'ja', budget: '今日：€13.00 / €40.00', upstream: '上流' },
] as const)(
  'costs are beside the tokens, in the budget and on the request: $language',
  async ({ language, budget, upstream }) => {
    const { page, context } = await openVisitor(helix.url, { language })
    await takeCookies(context, helix.url, owner.cookies)
    await openPage(page, '/usage')
    await page.getByRole('table').getByText('€13.00').first().waitFor()
    await openPage(page, '/keys')
    await page
      .getByRole('row', { name: /nightly/ })
      .getByText(budget)
      .waitFor()
    await openPage(page, `/requests/${requestId}`)
    await page.getByText('€13.00').waitFor()
    await page.getByRole('main').getByText(upstream, { exact: true }).waitFor()
    await page.getByText('gpu-1').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
  },
)

test.each([
  { language: 'en', prompt: 'Prompt', run: 'Run both', table: /^Tokens, times and costs/, side: 'Setting B' },
  { language: 'ja', prompt: '入力', run: '両方に送信', table: /^各設定のトークン数/, side: '設定B' },
] as const)(
  'two models are compared by tokens and cost, as the ledger has them: $language',
  async ({ language, prompt, run, table, side }) => {
    const { page, context } = await openVisitor(helix.url, { language })
    await takeCookies(context, helix.url, owner.cookies)
    await openPage(page, '/playground/compare')
    await page.getByLabel(prompt, { exact: true }).fill('Hi')
    await page.getByRole('region', { name: side }).getByRole('combobox').selectOption('large')
    await page.getByRole('button', { name: run }).click()
    const rows = page.getByRole('table', { name: table }).getByRole('row')
    // Its upstream counts 7 tokens of the prompt and 3 of the answer; the model of this server has no price.
    await rows.filter({ hasText: 'large' }).getByText('€13.00').waitFor()
    expect(await rows.filter({ hasText: 'large' }).getByRole('cell').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(/7$/), expect.stringMatching(/3$/)]),
    )
    expect(await rows.filter({ hasText: 'helix-v1' }).getByText('€').count()).toBe(0)
    expect(await accessibilityViolations(page)).toEqual([])
  },
)

test('an answer in the playground has its cost, and Home adds it up and shows the latest problem', async () => {
  const { page, context } = await openVisitor(helix.url)
  const member = await signUp(helix.url, 'spender@example.com')
  await takeCookies(context, helix.url, member.cookies)
  await openPage(page, '/playground')
  await page.getByLabel('Model').selectOption('large')
  await page.locator('.composer textarea').fill('Hi')
  await page.locator('.composer textarea').press('Enter')
  await page.locator('.turn.received .figures').getByText('Cost €13.00').waitFor()
  const failing = { model: 'unknown', messages: [{ role: 'user', content: 'Hi' }] }
  expect((await member.post('/playground/chat/completions', failing)).status).toBe(404)
  // Rejected requests are recorded a moment later, and the page asks once.
  const rejected = async () => (await (await member.get('/requests?outcome=refused')).json()).data
  await expect.poll(rejected).toHaveLength(1)
  await openPage(page, '/home')
  await expect.poll(() => page.locator('.lede').innerText()).toContain('It cost €13.00.')
  await page.locator('.table.requests').getByText('model_not_found').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})

test('the table of the usage names and compares the value that the chart shows', async () => {
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/usage?show=cost&compare=previous')
  await page.getByRole('columnheader', { name: 'Previous cost' }).waitFor()
  await page.getByRole('cell', { name: /^€0\.00/ }).waitFor()
})
