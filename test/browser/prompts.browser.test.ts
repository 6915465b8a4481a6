import { beforeAll, expect } from 'vitest'
import { claimServer, joinAs, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import { type Helix, modelName } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'
import { keptTexts } from './kept-texts.ts'
import { withoutLongTimers } from './without-long-timers.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openSiteServer()
  await claimServer(helix)
  return helix.close
})

type Session = Awaited<ReturnType<typeof joinAs>>
const openAs = async (
  member: Pick<Session, 'cookies'>,
  path: string,
  options: Parameters<typeof openVisitor>[1] = {},
) => {
  const visitor = await openVisitor(helix.url, options)
  await takeCookies(visitor.context, helix.url, member.cookies)
  await visitor.page.addInitScript({ content: withoutLongTimers })
  await openPage(visitor.page, path)
  return { ...visitor, message: visitor.page.locator('.composer textarea') }
}

test('a draft survives a reload and another browser, and what is cleared or deleted comes back', async () => {
  const member = await signUp(helix.url, 'anna@example.com')
  const { page, message } = await openAs(member, '/playground')
  /** What the server has, once it has it: when the page saves is its own affair. */
  const draft = () => expect.poll(async () => (await member.get('/playground/draft')).text(), { timeout: 15_000 })
  await message.fill('Hi')
  await message.press('Enter')
  await page.locator('.answer').getByText('Hello, world!').waitFor()
  await page.getByLabel('System', { exact: true }).fill('Be short.')
  await message.fill('a secret draft')
  await draft().toContain('a secret draft')
  expect(await keptTexts(page)).not.toContain('secret')
  await page.reload()
  await page.locator('.answer').getByText('Hello, world!').waitFor()
  expect(await message.inputValue()).toBe('a secret draft')

  await page.getByRole('button', { name: 'Clear' }).click()
  await page.locator('.answer').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.locator('.answer').getByText('Hello, world!').waitFor()
  await page.getByRole('button', { name: 'Delete: your message' }).click()
  await page.locator('.exchange.sent').waitFor({ state: 'detached' })
  await draft().not.toContain('\\"kind\\":\\"sent\\"')
  await page.getByRole('button', { name: 'Undo' }).click()
  await draft().toContain('\\"kind\\":\\"sent\\"')

  const other = await openAs(member, '/playground')
  expect(await other.page.locator('.exchange.sent .text').textContent()).toBe('Hi')
  expect(await other.page.getByLabel('System', { exact: true }).inputValue()).toBe('Be short.')
})

test('a prompt is saved by name with versions, and a colleague opens the link to it', async () => {
  const member = await signUp(helix.url, 'ben@example.com')
  const colleague = await joinAs(helix.url, member, 'member', 'cleo@example.com')
  const { page, message } = await openAs(member, '/playground', { language: 'ja', width: 375, theme: 'dark' })
  const library = page.getByRole('dialog', { name: '保存した入力' })
  await message.fill('こんにちは')
  await page.getByRole('button', { name: '保存した入力', exact: true }).click()
  await library.getByLabel('名前', { exact: true }).fill('あいさつ')
  await library.getByLabel('組織内で共有する').check()
  await library.getByRole('button', { name: '入力を保存' }).click()
  await library.waitFor({ state: 'hidden' })
  await message.fill('こんばんは')
  await page.getByRole('button', { name: '保存した入力', exact: true }).click()
  await library.getByRole('button', { name: '「あいさつ」の新しいバージョンを保存' }).click()
  await library.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: '保存した入力', exact: true }).click()
  await library.getByLabel('「あいさつ」のバージョン').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await library.getByLabel('「あいさつ」のバージョン').selectOption({ index: 1 })
  await library.waitFor({ state: 'hidden' })
  await page.getByText('「あいさつ」を開きました').waitFor()
  expect(await message.inputValue()).toBe('こんにちは')
  await page.getByRole('button', { name: '保存した入力', exact: true }).click()
  await library.getByRole('button', { name: '「あいさつ」のリンクをコピー' }).click()
  const copied = async (): Promise<string> => String(await page.evaluate('navigator.clipboard.readText()'))
  await expect.poll(copied).toContain(`${helix.url}/playground?prompt=`)
  const link = await copied()

  const other = await openAs(colleague, new URL(link).pathname + new URL(link).search)
  await other.page.getByText('Opened あいさつ').waitFor()
  expect(await other.message.inputValue()).toBe('こんばんは')
  expect(new URL(other.page.url()).search).toBe('')

  await library.getByRole('button', { name: '「あいさつ」を削除' }).click()
  await library.getByText('「あいさつ」を削除しました').waitFor()
  await library.getByRole('button', { name: '元に戻す' }).click()
  await library.getByRole('button', { name: '「あいさつ」を開く' }).waitFor()
})

test('a request whose prompt is stored is opened in the playground', async () => {
  const member = await signUp(helix.url, 'dora@example.com')
  await member.post('/organisation/bodies', { days: 7 })
  const body = {
    model: modelName,
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'What now?' },
    ],
    temperature: 0.25,
  }
  const headers = { authorization: `Bearer ${member.firstKey.key}`, 'content-type': 'application/json' }
  const response = await fetch(`${helix.baseUrl}/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  await response.text()
  const { page, message } = await openAs(member, `/requests/${response.headers.get('x-request-id')}`)
  await page.getByRole('link', { name: 'Open in playground' }).click()
  await page.getByText('Opened req_').waitFor()
  expect(await message.inputValue()).toBe('What now?')
  expect(await page.getByLabel('System', { exact: true }).inputValue()).toBe('Be kind.')
  expect(await page.getByRole('slider', { name: 'Temperature' }).inputValue()).toBe('0.25')
})
