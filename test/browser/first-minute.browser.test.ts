import OpenAI from 'openai'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { claimServer } from '../harness/browser-session.ts'
import { listenTo } from '../harness/listen-to.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { type Helix, modelName } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { fillForm, goodPassword } from './fill-form.ts'
import { keptTexts } from './kept-texts.ts'
import { hasFocus, tabTo } from './tab-to.ts'

let helix: Helix
/** The answer stops after its first token until a test lets it go on. */
let goOn = Promise.withResolvers<void>()
beforeAll(async () => {
  helix = await openSiteServer({ answer: () => ['Wet', { pause: goOn.promise }, ' earth', ' smells.'] })
  await claimServer(helix)
  return helix.close
})
const holdAnswer = (): (() => void) => {
  goOn = Promise.withResolvers()
  return goOn.resolve
}

const clipboard = async (page: Page): Promise<string> => String(await page.evaluate('navigator.clipboard.readText()'))

const signUp = async (page: Page, email: string): Promise<void> => {
  await page.goto('/signup')
  await fillForm(page, email)
  await page.getByRole('button', { name: 'Sign up and get a key' }).click()
  await page.getByRole('heading', { name: 'This is your key. It is shown once.' }).waitFor()
}

test('six clicks lead from the front page to a copied key that works and a streamed answer', async () => {
  const release = holdAnswer()
  const { page } = await openVisitor(helix.url)
  let clicks = 0
  const click = async (target: Locator): Promise<void> => {
    clicks += 1
    await target.click()
  }
  await page.goto('/')
  await click(page.getByRole('main').getByRole('link', { name: 'Get a key' }))
  await click(page.getByLabel('Email'))
  await page.keyboard.type('anna@example.com')
  await click(page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(goodPassword)
  await click(page.getByRole('button', { name: 'Sign up and get a key' }))
  await page.getByText('The key has not been copied yet.').waitFor()
  await page.getByText('Waiting for the first request with this key…').waitFor()
  await click(page.getByRole('button', { name: 'Copy key' }))
  await page.getByText('Key copied.').waitFor()
  const apiKey = await clipboard(page)
  await click(page.getByRole('button', { name: 'Run it here' }))
  await page.locator('.answer').getByText('Wet', { exact: true }).waitFor()
  expect(clicks).toBeLessThanOrEqual(6)
  release()
  await page.locator('.answer').getByText('Wet earth smells.').waitFor()

  expect(apiKey).toMatch(/^hx_live_/)
  const baseURL = /http\S+?\/v1/.exec((await page.getByRole('tabpanel').textContent()) ?? '')?.[0] ?? ''
  expect(baseURL).toBe(helix.baseUrl)
  const stream = await new OpenAI({ apiKey, baseURL }).chat.completions.create({
    model: modelName,
    messages: [{ role: 'user', content: 'What is the capital of Japan?' }],
    stream: true,
  })
  let said = ''
  for await (const chunk of stream) said += chunk.choices[0]?.delta.content ?? ''
  expect(said).toBe('Wet earth smells.')
  await page.getByText(/^First request received/).waitFor()
})

test('an answer that was stopped keeps what came, and the next one is read aloud from its beginning', async () => {
  const release = holdAnswer()
  const { page } = await openVisitor(helix.url)
  await signUp(page, 'gina@example.com')
  const heard = await listenTo(page, '.announced')
  await page.getByRole('button', { name: 'Run it here' }).click()
  await page.locator('.answer').getByText('Wet', { exact: true }).waitFor()
  expect(await heard()).toEqual([])
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.locator('.answer').getByText('Stopped.').waitFor()
  await expect.poll(heard).toEqual(['Wet'])
  release()
  await page.getByRole('button', { name: 'Run again' }).click()
  await page.locator('.answer').getByText('Wet earth smells.').waitFor()
  await expect.poll(heard).toEqual(['Wet', 'Wet earth smells.'])
})

test('the copied code holds the whole key, in each language', async () => {
  const { page } = await openVisitor(helix.url)
  await signUp(page, 'ben@example.com')
  await page.getByRole('button', { name: 'Copy key' }).click()
  await page.getByText('Key copied.').waitFor()
  const key = await clipboard(page)
  for (const name of ['curl', 'Python', 'TypeScript', 'Environment']) {
    await page.getByRole('tab', { name }).click()
    expect(await page.getByRole('tabpanel').textContent(), name).not.toContain(key)
    await page.getByRole('button', { name: `Copy: ${name}` }).click()
    await expect.poll(() => clipboard(page)).toContain(key)
    expect(await clipboard(page)).toContain(helix.baseUrl)
  }
})

test('leaving without copying asks first, and afterwards the key is stored nowhere', async () => {
  const { page } = await openVisitor(helix.url)
  await signUp(page, 'cara@example.com')
  const key = (await page.locator('.secret .value').textContent()) ?? ''
  expect(key).toMatch(/^hx_live_/)
  await page.getByRole('button', { name: 'Go to the console' }).click()
  const dialog = page.getByRole('dialog', { name: 'The key has not been copied' })
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await keptTexts(page)).not.toContain(key.slice(-12))
  await page.getByRole('button', { name: 'Go to the console' }).click()
  await dialog.getByRole('button', { name: 'Copy and go on' }).click()
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
  expect(await clipboard(page)).toBe(key)
  expect(await keptTexts(page)).not.toContain(key.slice(-12))
  expect(await page.content()).not.toContain(key)
  await page.goBack()
  await page.getByRole('heading', { name: 'The key was shown once.' }).waitFor()
})

test('closing the tab before the key was copied asks too', async () => {
  const { page } = await openVisitor(helix.url)
  await signUp(page, 'dora@example.com')
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.accept()
})

test('after a reload the key is gone, and another is one click away', async () => {
  const { page } = await openVisitor(helix.url, { language: 'ja' })
  await page.goto('/signup')
  await fillForm(page, 'emi@example.com')
  await page.locator('button[type="submit"]').click()
  await page.getByRole('heading', { name: 'APIキーを発行しました。' }).waitFor()
  await page.getByRole('button', { name: 'キーをコピー' }).click()
  await page.getByText('キーをコピーしました。').waitFor()
  await page.reload()
  await page.getByRole('button', { name: '新しいキーを作成' }).click()
  await page.getByRole('heading', { name: 'APIキーを発行しました。' }).waitFor()
})

test('the first minute needs no mouse', async () => {
  holdAnswer()()
  const { page } = await openVisitor(helix.url)
  await page.goto('/')
  await tabTo(page, page.getByRole('main').getByRole('link', { name: 'Get a key' }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByLabel('Email'))
  await page.keyboard.type('finn@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.type(goodPassword)
  await page.keyboard.press('Enter')
  const copy = page.getByRole('button', { name: 'Copy key' })
  await copy.waitFor()
  await expect.poll(() => hasFocus(page, copy)).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByText('Key copied.').waitFor()
  await tabTo(page, page.getByRole('button', { name: 'Run it here' }))
  await page.keyboard.press('Enter')
  await page.locator('.answer').getByText('Wet earth smells.').waitFor()
})
