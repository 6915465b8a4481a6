import { beforeAll, expect } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { type BrowserSession, claimServer } from '../harness/browser-session.ts'
import { changeDatabase } from '../harness/change-database.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { scriptModels } from '../harness/scripted-models.ts'
import { sayJson, startUpstream } from '../harness/scripted-upstream.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

const secret = 'sk-upstream-0123456789-end4'
const silent = { info: () => {}, warn: () => {}, error: () => {} }
let helix: Helix
let owner: BrowserSession
let upstreamUrl: string
beforeAll(async () => {
  const upstream = await startUpstream((response, { headers, body }) => {
    if (headers.authorization !== `Bearer ${secret}`) return response.writeHead(401).end('{}')
    if (body.model !== undefined) return sayJson(response, { content: 'OK' })
    return response.writeHead(200).end(JSON.stringify({ data: [{ id: 'org/large' }, { id: 'small' }] }))
  })
  upstreamUrl = upstream.baseUrl
  const upstreams = createUpstreamSet({ clock: systemClock, log: silent })
  const local = scriptModels([{ id: 'helix-v1' }])
  helix = await openSiteServer({ upstreams, openModels: (config) => local.open(config, systemClock, upstreams) })
  owner = await claimServer(helix)
  return helix.close
})

const open = async (path: string, options: Parameters<typeof openVisitor>[1] = {}) => {
  const visitor = await openVisitor(helix.url, options)
  await takeCookies(visitor.context, helix.url, owner.cookies)
  await openPage(visitor.page, path)
  return visitor
}

test('the owner adds an upstream, tests, drains and removes it, and its models are in the playground', async () => {
  const { page } = await open('/admin/upstreams')
  await page.getByText('No upstreams yet').waitFor()
  await page.getByRole('button', { name: 'Add upstream' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add an upstream' })
  await dialog.getByRole('button', { name: 'Add upstream' }).click()
  await dialog.getByText('Enter a name.').waitFor()
  await dialog.getByLabel('Name', { exact: true }).fill('gpu')
  await dialog.getByLabel('Base URL').fill('gpu.example')
  await dialog.getByLabel('API key').fill(secret)
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add upstream' }).click()
  await dialog.getByText('Enter a URL that begins with http').waitFor()
  expect(await dialog.getByLabel('Base URL').getAttribute('aria-invalid')).toBe('true')
  expect(await dialog.getByLabel('Base URL').evaluate((field) => field === document.activeElement)).toBe(true)
  await dialog.getByLabel('Base URL').fill('http://127.0.0.1:1/v1')
  await dialog.getByRole('button', { name: 'Add upstream' }).click()
  await dialog.getByText('It refuses connections.').waitFor()
  await dialog.getByRole('button', { name: 'Add it anyway' }).waitFor()
  const url = dialog.getByLabel('Base URL')
  expect(await url.evaluate((field) => field === document.activeElement && field.ariaInvalid)).toBe('true')
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByLabel('Base URL').fill(upstreamUrl)
  await dialog.getByRole('button', { name: 'Add upstream' }).click()

  const row = page.getByRole('table', { name: 'Upstreams of this server' }).getByRole('row').filter({ hasText: 'gpu' })
  for (const text of ['Active', 'org/large, small', 'Read from the upstream', 'Key …end4', '0 of 64'])
    await row.getByText(text).waitFor()
  expect(await page.content()).not.toContain(secret)
  await page.getByRole('button', { name: 'Test gpu' }).click()
  await page.getByText('gpu works: org/large answered.').waitFor()
  await page.getByRole('button', { name: 'Edit gpu' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit gpu' })
  await editing.getByLabel('Provider or server').selectOption('vLLM')
  expect(await editing.getByLabel('Base URL').inputValue()).toBe('http://localhost:8000/v1')
  await editing.getByLabel('Base URL').fill(upstreamUrl)
  await editing.getByLabel('Models', { exact: true }).fill('small')
  await editing.getByLabel('Maximum concurrent requests').fill('8')
  await editing.getByRole('button', { name: 'Save' }).click()
  await row.getByText('0 of 8').waitFor()
  expect(await row.getByText('org/large').count()).toBe(0)
  await page.getByRole('button', { name: 'Drain gpu' }).click()
  await row.getByText('Draining').waitFor()
  await page.getByRole('button', { name: 'Resume gpu' }).click()
  await row.getByText('Active').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])

  const { page: playground } = await open('/playground')
  const names = playground.getByLabel('Model', { exact: true }).locator('option')
  expect(await names.allInnerTexts()).toEqual(['helix-v1', 'small'])

  await page.getByRole('button', { name: 'Remove gpu' }).click()
  const question = page.getByRole('dialog', { name: 'Remove gpu?' })
  await question.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No upstreams yet').waitFor()
  const { data } = (await (await owner.get('/admin/audit?action=upstream')).json()) as { data: { action: string }[] }
  const actions = data.map(({ action }) => action.replace('upstream.', ''))
  expect(actions).toEqual(['removed', 'resumed', 'drained', 'changed', 'added'])
})

test('whoever leaves the form during the test adds nothing, and a name that is taken is wrong in its field', async () => {
  const answers = Promise.withResolvers<void>()
  const slow = await startUpstream(async (response, { body }) => {
    if (body.model === undefined) return response.writeHead(200).end('{"data":[{"id":"small"}]}')
    await answers.promise
    return sayJson(response, { content: 'OK' })
  })
  await owner.post('/admin/upstreams', { name: 'taken', url: upstreamUrl, key: secret })
  const { page } = await open('/admin/upstreams')
  const dialog = page.getByRole('dialog', { name: 'Add an upstream' })
  const fill = async (name: string, url: string, key: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add upstream' }).first().click()
    await dialog.getByLabel('Name', { exact: true }).fill(name)
    await dialog.getByLabel('Base URL').fill(url)
    await dialog.getByLabel('API key').fill(key)
    await dialog.getByRole('button', { name: 'Add upstream' }).click()
  }
  await fill('left', slow.baseUrl, '')
  await dialog.getByText('Testing the upstream.').waitFor()
  const given = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/try'))
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await given
  answers.resolve()
  await fill('taken', upstreamUrl, secret)
  await dialog.getByText('There is already an upstream with this name.').waitFor()
  const name = dialog.getByLabel('Name', { exact: true })
  expect(await name.evaluate((field) => field === document.activeElement && field.ariaInvalid)).toBe('true')
  const { data } = (await (await owner.get('/admin/upstreams')).json()) as { data: { name: string }[] }
  expect(data.map((one) => one.name)).toEqual(['taken'])
  await owner.post('/admin/upstreams/taken/remove')
})

test('what another owner changed meanwhile stays', async () => {
  await owner.post('/admin/upstreams', { name: 'shared', url: upstreamUrl, key: secret, maxInFlight: 8 })
  const { page } = await open('/admin/upstreams')
  await page.getByRole('button', { name: 'Edit shared' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit shared' })
  await dialog.getByLabel('Models', { exact: true }).fill('small')
  await owner.post('/admin/upstreams/shared/edit', { maxInFlight: 5 })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('table', { name: 'Upstreams of this server' }).getByText('0 of 5').waitFor()
  await owner.post('/admin/upstreams/shared/remove')
})

test('a narrow page in Japanese says what is wrong with an upstream, and fits', async () => {
  await owner.post('/admin/upstreams', {
    name: 'wrong-key',
    url: upstreamUrl,
    key: 'sk-wrong',
    models: [{ name: 'a' }],
  })
  const { page } = await open('/admin/upstreams', { language: 'ja', width: 375, theme: 'dark' })
  await page.getByRole('button', { name: 'wrong-keyをテスト' }).click()
  await page.getByRole('dialog').getByText('キーが拒否されました。').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: '閉じる' }).click()
  await page.getByText('1件に問題があります。').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(await accessibilityViolations(page)).toEqual([])
})

test('the owner imports a config.yaml of LiteLLM: what works is added, and what fails says why', async () => {
  const params = (key: string): string => `{ model: openai/small, api_base: "${upstreamUrl}", api_key: ${key}, rpm: 3 }`
  const config = `model_list:
  - { model_name: imported, litellm_params: ${params(secret)} }
  - { model_name: imported-2, litellm_params: ${params('os.environ/GPU_KEY')} }`
  const { page } = await open('/admin/upstreams', { width: 375 })
  await page.getByRole('button', { name: 'Import from LiteLLM' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import from LiteLLM' })
  await dialog.getByLabel('config.yaml').fill('a: [')
  await dialog.getByRole('button', { name: 'Read' }).click()
  await dialog.getByText('The file cannot be read.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByLabel('File').setInputFiles({ name: 'config.yaml', mimeType: '', buffer: Buffer.from(config) })
  await dialog.getByRole('button', { name: 'Read' }).click()
  await dialog.getByText('Not imported (2)').click()
  await dialog.getByText('model_list[0].litellm_params.rpm').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await dialog.getByRole('button', { name: 'Add 2 upstreams' }).click()
  await dialog.getByText('compatible-2 was not added.').waitFor()
  await dialog.getByText('It refuses the key.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByLabel('API key of compatible-2').fill(secret)
  await dialog.getByRole('button', { name: 'Add one upstream' }).click()
  const table = page.getByRole('table', { name: 'Upstreams of this server' })
  await dialog.waitFor({ state: 'hidden' })
  for (const name of ['imported', 'imported-2']) await table.getByText(name, { exact: true }).waitFor()
})

test('an import of a file without anything to add can only be closed', async () => {
  const { page } = await open('/admin/upstreams')
  await page.getByRole('button', { name: 'Import from LiteLLM' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import from LiteLLM' })
  await dialog.getByLabel('config.yaml').fill('model_list: [{ model_name: a, litellm_params: { model: bedrock/a } }]')
  await dialog.getByRole('button', { name: 'Read' }).click()
  await dialog.getByText('None of the models in this file can be imported.').waitFor()
  expect(await dialog.getByRole('button').allTextContents()).toEqual(['Close'])
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'hidden' })
})

const columns = 'hour, upstream, model, requests, errors, first_tokens, first_token_ms, timed_tokens, timed_ms, cost'

/** Five hours of an upstream that streams, and one of an upstream that answers JSON. */
const addFigures = async (): Promise<void> => {
  await owner.post('/admin/upstreams', {
    name: 'berlin',
    url: upstreamUrl,
    key: secret,
    models: [{ name: 'org/large' }],
  })
  const hour = Math.floor(Date.now() / 3_600_000)
  const streamed = [1, 2, 3, 4, 5].map((ago) => {
    const times = `10, ${1_500 * ago}, 4000, ${20_000 * ago}`
    return `(${hour - 4 * ago}, 'berlin', 'org/large', ${20 * ago}, ${ago === 2 ? 7 : 0}, ${times}, ${2_000_000 * ago}, 9, 9)`
  })
  const rows = [...streamed, `(${hour - 1}, 'tokyo', 'small', 12, 0, 0, 0, 0, 0, 0, 9, 9)`].join(', ')
  await changeDatabase(
    helix,
    `DELETE FROM upstream_hours; INSERT INTO upstream_hours (${columns}, prompt_tokens, completion_tokens) VALUES ${rows}`,
  )
}

test('the owner chooses the figure that is drawn over time', async () => {
  await addFigures()
  const { page } = await open('/admin/upstreams')
  const table = page.getByRole('table', { name: 'Models over time' })
  await table.getByRole('img', { name: '300 requests, 7 of them with errors' }).waitFor()
  const choose = async (figure: string): Promise<void> => {
    await page.getByRole('group', { name: 'Shown over time' }).getByRole('button', { name: figure }).click()
    await table.getByRole('columnheader').nth(1).filter({ hasText: figure }).waitFor()
  }
  await choose('First token')
  await table.getByRole('img', { name: 'First token over time, from 150\u00a0ms to 750\u00a0ms' }).waitFor()
  await table.getByRole('img', { name: 'First token over time: none was measured' }).waitFor()
  await choose('Tokens/s')
  await table.getByRole('img', { name: 'Tokens/s over time, from 40 to 200' }).waitFor()
  await choose('Cost')
  await table.getByRole('img', { name: 'Cost over time, from US$2.00 to US$10.00' }).waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})

test.each([375, 768])('in Japanese and dark, the chosen figure fits a page %i px wide', async (width) => {
  await addFigures()
  const { page } = await open('/admin/upstreams', { language: 'ja', width, theme: 'dark' })
  await page.getByRole('group', { name: '推移を表示する項目' }).getByRole('button', { name: '最初のトークン' }).click()
  await page.getByRole('img', { name: '最初のトークンの推移、150\u00a0ms〜750\u00a0ms' }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(await accessibilityViolations(page)).toEqual([])
})
