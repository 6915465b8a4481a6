import { beforeAll, expect } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createUpstreamSet } from '../../src/upstreams/upstream-set.ts'
import { type BrowserSession, claimServer } from '../harness/browser-session.ts'
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
  await dialog.getByText('expected an http://').waitFor()
  expect(await dialog.getByLabel('Base URL').getAttribute('aria-invalid')).toBe('true')
  await dialog.getByLabel('Base URL').fill('http://127.0.0.1:1/v1')
  await dialog.getByRole('button', { name: 'Add upstream' }).click()
  await dialog.getByText('It refuses connections.').waitFor()
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
