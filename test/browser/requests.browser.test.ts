import { beforeAll, expect } from 'vitest'
import type { HookSetting } from '../../src/config/hook-setting.ts'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import { type Helix, modelName } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

const pins: HookSetting = {
  ...{ name: 'pins', url: null, phases: ['before'], onFailure: 'block' },
  ...{ secrets: [], patterns: ['[0-9]{4}'], action: 'redact' },
}
let helix: Helix
/** Answers to "wait" stop in the middle until then. */
const gate = Promise.withResolvers<void>()
beforeAll(async () => {
  helix = await openSiteServer({
    answer: (messages) => {
      const asked = JSON.stringify(messages)
      if (asked.includes('break')) throw new Error('out of order')
      if (asked.includes('wait')) return ['One', ' two', { pause: gate.promise }, ' three']
      return ['Hello', ', ', 'world', '!']
    },
    config: { hooks: [pins], cacheModels: [modelName] },
  })
  await claimServer(helix)
  return helix.close
})

const openAs = async (email: string, options: Parameters<typeof openVisitor>[1] = {}) => {
  const member = await signUp(helix.url, email)
  const visitor = await openVisitor(helix.url, options)
  await takeCookies(visitor.context, helix.url, member.cookies)
  return { ...visitor, member }
}

/** Of the boxes, by their lower edges: fields with labels of different heights stand in one row. */
const bottomsOf = (parts: { getBoundingClientRect(): { bottom: number } }[]): number[] =>
  parts.map((part) => Math.round(part.getBoundingClientRect().bottom))

const ask = async (key: string, content: string, more: object = {}): Promise<void> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ model: modelName, messages: [{ role: 'user', content }], ...more })
  await (await fetch(`${helix.baseUrl}/chat/completions`, { method: 'POST', headers, body })).text()
}

test('a request from the playground appears on another page by itself, with its timings', async () => {
  const { page, context } = await openAs('anna@example.com')
  await openPage(page, '/requests')
  await page.getByRole('heading', { name: 'No requests yet' }).waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  const other = await context.newPage()
  await openPage(other, '/playground')
  await other.locator('.composer textarea').fill('Hi')
  await other.locator('.composer textarea').press('Enter')
  await other.locator('.answer').getByText('Hello, world!').waitFor()
  const row = page.getByRole('row', { name: /Playground/ })
  await row.getByText('Answered').waitFor()
  await expect.poll(() => page.locator('.table.requests tbody tr').count()).toBe(1)
  await row.getByRole('link').click()
  await page.getByText(/^Answered in/).waitFor()
  await page.getByRole('img', { name: 'Timing of the request' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})

test('the tokens of a running request are drawn as they come, and stay when it has ended', async () => {
  const { page, member } = await openAs('tina@example.com', { width: 375, theme: 'dark' })
  await openPage(page, '/requests')
  await page.getByText('Live', { exact: true }).waitFor()
  const asked = ask(member.firstKey.key, 'wait', { stream: true })
  await page.getByRole('img', { name: '2 tokens so far' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  gate.resolve()
  await asked
  await page.getByRole('img', { name: /^3 tokens in .+, the first after .+s$/ }).waitFor()
})

test('a stream that was interrupted catches up with what it missed, each request once', async () => {
  const { page, member } = await openAs('ben@example.com')
  await page.route('**/platform/requests/events*', (route) => route.abort())
  await openPage(page, '/requests')
  await page.getByText('Reconnecting…', { exact: true }).waitFor()
  await ask(member.firstKey.key, 'Hi')
  await ask(member.firstKey.key, 'break')
  await page.unroute('**/platform/requests/events*')
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByRole('row', { name: /Failed/ }).waitFor()
  await expect.poll(() => page.locator('.table.requests tbody tr').count()).toBe(2)
})

test('filters, an error with its explanation, the endpoint, and a request that is not there', async () => {
  const { page, member } = await openAs('cara@example.com', { theme: 'dark', width: 375 })
  await ask(member.firstKey.key, 'Hi')
  await ask(member.firstKey.key, 'break')
  await openPage(page, '/requests')
  await page.getByLabel('Endpoint').selectOption({ label: '/v1/messages' })
  await page.getByText('No matching requests.').waitFor()
  await page.waitForURL('**/requests?endpoint=messages')
  await page.getByLabel('Endpoint').selectOption({ label: '/v1/chat/completions' })
  await page.locator('.table.requests tbody tr').nth(1).waitFor()
  await page.getByLabel('Outcome').selectOption({ label: 'Failed' })
  await page.locator('.table.requests tbody tr').nth(1).waitFor({ state: 'detached' })
  expect(await accessibilityViolations(page)).toEqual([])
  await page.locator('.table.requests').getByRole('link').click()
  await page.getByText(/^Failed after/).waitFor()
  await page.getByText('/v1/chat/completions', { exact: true }).waitFor()
  const docs = page.getByRole('link', { name: 'internal_error: what it means' })
  expect(await docs.getAttribute('href')).toBe('/docs/errors#status-500')
  expect(await accessibilityViolations(page)).toEqual([])
  await openPage(page, '/usage?by=endpoint')
  await page.locator('.readout').getByText('/v1/chat/completions').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await openPage(page, '/requests/req_unknown')
  await page.getByText('Request not found.').waitFor()
})

test('a filter is saved under a name, applied again after a reload and removed, and the page has room for keys', async () => {
  const { page, member } = await openAs('gina@example.com')
  await ask(member.firstKey.key, 'Hi')
  await ask(member.firstKey.key, 'break')
  await openPage(page, '/requests?outcome=failed')
  await page.getByRole('button', { name: 'Save this filter' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Broken')
  await page.keyboard.press('Enter')
  const saved = page.getByRole('list', { name: 'Saved filters' }).getByRole('button', { name: 'Broken', exact: true })
  await expect.poll(() => saved.getAttribute('aria-pressed')).toBe('true')
  const focused = () => page.evaluate('document.activeElement.textContent')
  await expect.poll(focused).toBe('Broken')
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
  await page.waitForURL('**/requests')
  await expect.poll(focused).toBe('Broken')
  await openPage(page, '/requests')
  const rows = page.locator('.table.requests tbody tr')
  await rows.nth(1).waitFor()
  await saved.click()
  await rows.nth(1).waitFor({ state: 'detached' })
  await page.waitForURL('**/requests?outcome=failed')
  await page.getByRole('button', { name: 'Remove filter Broken' }).click()
  await page.getByText('Filter Broken was removed').waitFor()
  expect(await saved.count()).toBe(0)
  await expect.poll(focused).toBe('Save this filter')
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
  await rows.nth(1).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.labels?.[0]?.textContent')).toBe('Key')
  // A name of a key has room, and no field stands alone in a row.
  for (const width of [768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const key = await page.locator('.table.requests td.who').first().boundingBox()
    expect(key?.width, `at ${width} px`).toBeGreaterThan(90)
    const bottoms = await page.locator('.requests-filter > *').evaluateAll(bottomsOf)
    for (const bottom of new Set(bottoms))
      expect(bottoms.filter((each) => each === bottom).length, `at ${width} px`).not.toBe(1)
  }
})

test('a filter of the same name is replaced knowingly, and the page says when no more can be saved', async () => {
  const { page } = await openAs('hana@example.com')
  await openPage(page, '/requests?outcome=failed')
  const save = page.getByRole('button', { name: 'Save this filter' })
  await save.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Mine')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await openPage(page, '/requests?outcome=running')
  await save.click()
  await dialog.getByLabel('Name').fill('Mine')
  await dialog.getByText('A filter with this name exists. It will be replaced.').waitFor()
  await dialog.getByRole('button', { name: 'Replace' }).click()
  const saved = page.getByRole('list', { name: 'Saved filters' }).getByRole('listitem')
  await expect.poll(() => saved.count()).toBe(1)
  await page.evaluate(() => {
    const place = Object.keys(localStorage).find((name) => name.startsWith('helix-filters-')) ?? ''
    const filters = Array.from({ length: 20 }, (_, index) => ({ name: `No ${index}`, address: { outcome: 'failed' } }))
    localStorage.setItem(place, JSON.stringify(filters))
  })
  await openPage(page, '/requests?outcome=running')
  await page.getByText('20 filters are saved. Remove one to save another.').waitFor()
  expect(await save.count()).toBe(0)
})

test('a refused request names the limit, and prompts and answers are shown once the organisation stores them', async () => {
  const { page, member } = await openAs('ella@example.com', { width: 375 })
  const made = await member.post('/keys', { name: 'narrow', expiresAt: null, limits: { requestsPerMinute: 1 } })
  const { key } = (await made.json()) as { key: string }
  await openPage(page, '/team')
  await page.getByText('Not stored', { exact: true }).waitFor()
  await page.getByLabel('Store prompts and answers').selectOption({ label: 'For 7 days' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Stored for 7 days', { exact: true }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await openPage(page, '/requests')
  await page.getByText('Live', { exact: true }).waitFor()
  await ask(key, 'What is the time?')
  await ask(key, 'Again')
  const refused = page.getByRole('row', { name: /Rejected/ })
  await refused.getByText('rate_limit_exceeded').waitFor()
  await refused.getByText('Requests per minute', { exact: true }).waitFor()
  await page
    .getByRole('row', { name: /Answered/ })
    .getByRole('link')
    .click()
  await page.getByText('0 of 1 left').waitFor()
  await page.getByText('What is the time?').waitFor()
  await page.getByText('Hello, world!').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.goBack()
  await refused.getByRole('link').click()
  await page.getByText('Rejected by a limit of the key: requests per minute.').waitFor()
  await page.getByText('1 of 1', { exact: true }).waitFor()
  const docs = page.getByRole('link', { name: 'rate_limit_exceeded: what it means' })
  expect(await docs.getAttribute('href')).toBe('/docs/errors#status-429')
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Requests per minute', exact: true }).click()
  await page.waitForURL('**/keys/key_*')
})

test('the page of a request says what hooks did, and leads to the request whose answer it got', async () => {
  const { page, member } = await openAs('pia@example.com', { width: 375 })
  const body = { model: modelName, temperature: 0, messages: [{ role: 'user', content: 'Pins 1234 and 5678' }] }
  const headers = { authorization: `Bearer ${member.firstKey.key}`, 'content-type': 'application/json' }
  const ids = new Map<string | null, string>()
  // Answers are stored just after they were sent.
  while (!ids.has('hit')) {
    const response = await fetch(`${helix.baseUrl}/chat/completions`, {
      ...{ method: 'POST', headers, body: JSON.stringify(body) },
    })
    await response.text()
    ids.set(response.headers.get('x-helix-cache'), response.headers.get('x-request-id') ?? '')
  }
  await openPage(page, `/requests/${ids.get('hit')}`)
  await page.getByText('pins: 2 redacted').waitFor()
  await page.getByText('The answer to this earlier request was sent again.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('link', { name: /^req_/ }).click()
  await page.getByText('pins: 2 redacted').waitFor()
  await page.getByText('The answer to this earlier request was sent again.').waitFor({ state: 'detached' })
  expect(page.url()).toMatch(/\/requests\/req_[^/]+$/)
  expect(page.url()).not.toContain(ids.get('hit'))
})

test('requests are searched for by id, error and day, with their percentiles, in both languages', async () => {
  const { page, member } = await openAs('finder@example.com', { language: 'ja', width: 375 })
  await ask(member.firstKey.key, 'Hi')
  await ask(member.firstKey.key, 'break')
  await openPage(page, '/requests?q=internal_error')
  const rows = page.locator('.table.requests tbody tr')
  await page.getByText('終了したリクエスト1件').waitFor()
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByText('検索中は自動更新しません').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByLabel('検索').fill('')
  await page.getByText('終了したリクエスト2件').waitFor()
  await page.waitForURL('**/requests')
  const times = page.getByRole('region', { name: '所要時間のパーセンタイル' })
  expect(await times.getByText('p99').count()).toBe(2)
  await page.getByLabel('終了日').fill('2001-01-01')
  await page.getByText('条件に一致するリクエストはありません。').waitFor()
  await page.waitForURL('**/requests?until=2001-01-01')
})

test('a row opens its request wherever it is clicked, in another tab on demand, and its text can be selected', async () => {
  const { page, context, member } = await openAs('rows@example.com')
  await ask(member.firstKey.key, 'Hi')
  await openPage(page, '/requests')
  const row = page.locator('.table.requests tbody tr').first()
  const model = row.getByText(modelName)
  const href = await row.getByRole('link').getAttribute('href')
  const asides = [() => model.click({ modifiers: ['ControlOrMeta'] }), () => model.click({ button: 'middle' })]
  for (const clickAside of asides) {
    const [other] = await Promise.all([context.waitForEvent('page'), clickAside()])
    await other.waitForURL(`**${href}`)
    await other.close()
  }
  const { x = 0, y = 0, width = 0, height = 0 } = (await model.boundingBox()) ?? {}
  await page.mouse.move(x + 2, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width - 2, y + height / 2, { steps: 4 })
  await page.mouse.up()
  expect(await page.evaluate('getSelection().toString()')).not.toBe('')
  expect(new URL(page.url()).pathname).toBe('/requests')
  await page.evaluate('getSelection().empty()')
  await row.locator('td.total').click()
  await page.waitForURL(`**${href}`)
})

test('of five thousand requests only those in view are drawn, and the last is reached by scrolling', async () => {
  const { page, member } = await openAs('many@example.com')
  await ask(member.firstKey.key, 'Hi')
  // One page of the server's own answer, five thousand times over: asking as often would take minutes.
  await page.route('**/platform/requests?*', async (route) => {
    const answer = await (await route.fetch()).json()
    const data = Array.from({ length: 5000 }, (_, index) => ({
      ...answer.data[0],
      id: `req_${index}`,
      promptTokens: index,
      startedAt: answer.data[0].startedAt - index,
    }))
    await route.fulfill({ json: { ...answer, data } })
  })
  await openPage(page, '/requests')
  const rows = page.locator('.table.requests tbody tr:not(.left-out)')
  await rows.first().waitFor()
  expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('5001')
  expect(await rows.count()).toBeLessThan(300)
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  await page.getByText('4,999', { exact: false }).first().waitFor()
  expect(await rows.count()).toBeLessThan(300)
  expect(await accessibilityViolations(page)).toEqual([])
})
