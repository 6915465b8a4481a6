import { beforeAll, expect } from 'vitest'
import { type BrowserSession, claimServer, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { severalModels } from '../harness/several-models.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

const memory = { weights: 300_000_000, cache: 150_000_000, buffers: 62_000_000 }
const withoutGpu = { memoryBytes: 600_000_000, cacheUse: null, gpu: null, gpuFault: 'libggml-cuda.so cannot be loaded' }
const damaged = 'damaged.gguf ends in the middle of a tensor: download it again.'
let helix: Helix
let owner: BrowserSession
beforeAll(async () => {
  helix = await openSiteServer({
    openModels: severalModels([
      {
        id: 'large',
        features: new Set(['tools', 'grammar']),
        pool: {
          aliases: ['best', 'newest'],
          status: () => ({ state: 'ready', reason: null, memory, process: withoutGpu, diskBytes: 1_250_000_000 }),
        },
      },
      {
        id: 'small',
        contextTokens: 2048,
        features: new Set(['logprobs']),
        pool: {
          status: () => ({ state: 'unloaded', reason: null, memory: null, process: null, diskBytes: 98_000_000 }),
        },
      },
      {
        id: 'vectors',
        pool: { kind: 'embedding' },
      },
      {
        id: 'damaged',
        pool: { status: () => ({ state: 'failed', reason: damaged, memory: null, process: null, diskBytes: null }) },
      },
    ]),
  })
  owner = await claimServer(helix)
  return helix.close
})

const open = async (path: string, options: Parameters<typeof openVisitor>[1] = {}, person = owner) => {
  const visitor = await openVisitor(helix.url, options)
  await takeCookies(visitor.context, helix.url, person.cookies)
  await openPage(visitor.page, path)
  return visitor
}

test('the owner sees every model with its state, memory, size and load, and how to add others', async () => {
  const { page } = await open('/admin')
  await page.getByRole('link', { name: 'Models', exact: true }).click()
  await page.getByText('4 models.').waitFor()
  await page.getByText('2 are loaded. One cannot be used.').waitFor()
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  const seen = async (name: string) => (await row(name).innerText()).replaceAll(/\s+/g, ' ')
  const large = await seen('large')
  for (const part of ['Default', 'Also: best, newest', 'Ready', 'Chat', 'tools, JSON schema', '4,096', '512 MB'])
    expect(large).toContain(part)
  expect(large).toContain('weights 300 MB, cache 150 MB, buffers 62 MB')
  expect(large).toContain('1.3 GB')
  expect(large).toContain(`Runs on the CPU: ${withoutGpu.gpuFault}`)
  expect(large).toContain('0 of 4')
  expect(await seen('small')).toContain('Not loaded The next request loads it.')
  expect(await seen('vectors')).toContain('Embedding')
  expect(await row('damaged').innerText()).toContain(damaged)
  await page.getByText('./helix models pull').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})

test('a narrow page in Japanese has the same, and fits', async () => {
  const { page } = await open('/admin/models', { language: 'ja', width: 375, theme: 'dark' })
  await page.getByText('モデルは4件です。').waitFor()
  await page.getByText('1件は利用できません。').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  expect(await accessibilityViolations(page)).toEqual([])
})

test('a member sees that the page is for the owner', async () => {
  const anna = await signUp(helix.url, 'anna@example.com')
  const { page } = await open('/admin/models', {}, anna)
  await page.getByText('Only the server’s owner').waitFor()
  expect(await page.getByRole('row').count()).toBe(0)
})

test('the playground sends to the model that was chosen, says which one answered, and shows it in the code', async () => {
  const { page } = await open('/playground', {}, await signUp(helix.url, 'ben@example.com'))
  const picker = page.getByLabel('Model', { exact: true })
  expect(await picker.locator('option').allInnerTexts()).toEqual(['large', 'small', 'damaged'])
  const message = page.locator('.composer textarea')
  await message.fill('Who are you?')
  await message.press('Enter')
  await page.locator('.answer').getByText('I am large.').waitFor()
  await page.getByRole('button', { name: 'Send' }).waitFor()
  await picker.selectOption('small')
  await page.getByText('Context: 2,048 tokens.').waitFor()
  await message.fill('And you?')
  await message.press('Enter')
  await page.locator('.answer').getByText('I am small.').waitFor()
  expect(await page.locator('.exchange.received .who').allInnerTexts()).toEqual(['large', 'small'])
  await page.getByRole('button', { name: 'View code' }).click()
  const dialog = page.getByRole('dialog', { name: 'This request as code' })
  expect(await dialog.getByRole('tabpanel').innerText()).toContain('"model": "small"')
})

test('the panel says what the chosen model does not support', async () => {
  const { page } = await open('/playground', {}, await signUp(helix.url, 'cleo@example.com'))
  await page.getByText('A JSON array of function definitions.').waitFor()
  await page.getByLabel('Model', { exact: true }).selectOption('small')
  await page.getByText('small does not support tools.').waitFor()
  await page.getByText('small does not support JSON schemas.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})

test('two models answer the same prompt side by side', async () => {
  const { page } = await open('/playground/compare', {}, await signUp(helix.url, 'dora@example.com'))
  const [a, b] = ['A', 'B'].map((letter) => page.getByRole('region', { name: `Setting ${letter}` }))
  await b?.getByLabel('Model').selectOption('small')
  await page.getByLabel('Prompt', { exact: true }).fill('Who are you?')
  await page.getByRole('button', { name: 'Run both' }).click()
  await a?.locator('.answer').getByText('I am large.').waitFor()
  await b?.locator('.answer').getByText('I am small.').waitFor()
})

test('a key is restricted to models from the list', async () => {
  const { page } = await open('/keys')
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('only small')
  await dialog.getByText('Limits, permissions and networks').click()
  const models = dialog.getByRole('group', { name: 'Models' })
  await models.getByText('Select none to allow all').waitFor()
  await models.getByLabel('small').check()
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const key = await page.locator('.secret .value').textContent()
  const ask = (model: string) =>
    fetch(`${helix.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
    })
  expect((await ask('small')).status).toBe(200)
  expect((await ask('large')).status).toBe(403)
})
