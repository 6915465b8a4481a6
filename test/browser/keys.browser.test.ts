import { beforeAll, expect } from 'vitest'
import { claimServer, openBrowser, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import { type Helix, modelName } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'
import { goodPassword } from './fill-form.ts'
import { keptTexts } from './kept-texts.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openSiteServer()
  await claimServer(helix)
  return helix.close
})

const openKeys = async (email: string, options: Parameters<typeof openVisitor>[1] = {}) => {
  const member = await signUp(helix.url, email)
  const visitor = await openVisitor(helix.url, options)
  await takeCookies(visitor.context, helix.url, member.cookies)
  await openPage(visitor.page, '/keys')
  return { ...visitor, member }
}

const statusWith = async (key: string): Promise<number> =>
  (await fetch(`${helix.baseUrl}/models`, { headers: { authorization: `Bearer ${key}` } })).status

test('a new key works until its name is typed to revoke it', async () => {
  const { page } = await openKeys('anna@example.com')
  await page.getByText('One key is live.').waitFor()
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Nightly report')
  await page.getByLabel('Expiry').selectOption({ label: 'In 30 days' })
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('heading', { name: 'Nightly report is ready' }).waitFor()
  const key = (await page.locator('.secret .value').textContent()) ?? ''
  await page.getByRole('button', { name: 'Copy key' }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(key)
  expect(await keptTexts(page)).not.toContain(key.slice(-12))
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Two keys are live.').waitFor()
  expect(await page.content()).not.toContain(key)
  expect(await statusWith(key)).toBe(200)

  const row = page.getByRole('row', { name: /Nightly report/ })
  await row.getByRole('link', { name: 'Nightly report' }).click()
  await page.getByRole('button', { name: 'Revoke' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke Nightly report?' })
  const revoke = dialog.getByRole('button', { name: 'Revoke key' })
  await dialog.getByLabel('Type Nightly report to confirm').fill('Nightly')
  expect(await revoke.isDisabled()).toBe(true)
  expect(await statusWith(key)).toBe(200)
  await dialog.getByLabel('Type Nightly report to confirm').fill('Nightly report')
  await revoke.click()
  await page.getByRole('status').getByText('Nightly report was revoked').waitFor()
  await page.getByText('This key was revoked').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Keys / Nightly report')
  expect(await statusWith(key)).toBe(401)
})

test('closing the dialog of a new key before it was copied asks', async () => {
  const { page } = await openKeys('ben@example.com')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByLabel('Name', { exact: true }).fill('CI')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'CI is ready' }).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('The key has not been copied').waitFor()
  await page.getByRole('button', { name: 'Go on without it' }).click()
  await page.getByText('Two keys are live.').waitFor()
})

test('keys are found by name and state, and an organisation without keys shows what to do', async () => {
  const { page, member } = await openKeys('cara@example.com', { width: 375 })
  await page.getByRole('searchbox').fill('nothing like it')
  await page.getByText('No matching keys.').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByText('First key').waitFor()
  await member.post(`/keys/${member.firstKey.id}/revoke`, { name: 'First key' })
  await page.reload()
  await page.getByText('No keys are live.').waitFor()
})

test('a session that ended in the middle of a form costs nothing that was typed', async () => {
  const { page, member } = await openKeys('dora@example.com')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Typed before')
  await member.post('/sign-out')
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  const again = page.getByRole('dialog', { name: 'Sign in again to continue' })
  await again.getByLabel('Password', { exact: true }).fill('wrong password here')
  await again.getByRole('button', { name: 'Sign in' }).click()
  await again.getByText('Incorrect email or password.').waitFor()
  await again.getByLabel('Password', { exact: true }).fill(goodPassword)
  await again.getByRole('button', { name: 'Sign in' }).click()
  await again.waitFor({ state: 'hidden' })
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Typed before')
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('heading', { name: 'Typed before is ready' }).waitFor()
})

test('offline, the form says so, keeps what was typed, and works again afterwards', async () => {
  const { page, context } = await openKeys('emi@example.com')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Train')
  await context.setOffline(true)
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('alert').getByText('The server can’t be reached.').waitFor()
  await context.setOffline(false)
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('heading', { name: 'Train is ready' }).waitFor()
})

const chatWith = async (key: string): Promise<number> => {
  const response = await fetch(`${helix.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: modelName, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 4 }),
  })
  await response.text()
  return response.status
}

test('a key is created with limits, permissions and networks, shows its usage, and is changed', async () => {
  const { page } = await openKeys('fay@example.com')
  await page.getByRole('button', { name: 'Create key' }).click()
  const create = page.getByRole('dialog', { name: 'Create a key' })
  await create.getByLabel('Name', { exact: true }).fill('Narrow')
  await create.getByText('Limits, permissions and networks').click()
  await create.getByLabel('Permissions').selectOption({ label: 'Selected calls only' })
  for (const call of ['List models', 'Read stored completions', 'Store, label and delete completions'])
    await create.getByLabel(call).uncheck()
  await create.getByLabel('Requests per minute').fill('two')
  await create.getByLabel('Networks').fill('127.0.0.1, nowhere')
  await create.getByRole('button', { name: 'Create key' }).click()
  await create.getByText('Enter a whole number of 1 or more').waitFor()
  await create.getByLabel('Requests per minute').fill('2')
  await create.getByRole('button', { name: 'Create key' }).click()
  await create.getByText('neither an address nor a CIDR range').waitFor()
  await create.getByLabel('Networks').fill('127.0.0.1')
  await create.getByLabel('Tokens per month').fill('10,000')
  await create.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('heading', { name: 'Narrow is ready' }).waitFor()
  const key = (await page.locator('.secret .value').textContent()) ?? ''
  await page.getByRole('button', { name: 'Copy key' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  expect([await chatWith(key), await statusWith(key)]).toEqual([200, 403])
  expect([await chatWith(key), await chatWith(key)]).toEqual([200, 429])

  await page.reload()
  const row = page.getByRole('row', { name: /Narrow/ })
  for (const text of ['chat', '1 network', '2 requests/min', 'of 10K', 'just now']) await row.getByText(text).waitFor()
  await row.getByText('2 requests/min').click()
  await page.getByText('2 of 2').waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  const change = page.getByRole('dialog', { name: 'Edit Narrow' })
  expect(await change.getByLabel('Tokens per month').inputValue()).toBe('10000')
  await change.getByLabel('Requests per minute').fill('')
  await change.getByLabel('List models').check()
  await change.getByLabel('Name', { exact: true }).fill('Wider')
  await change.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('status').getByText('Wider was updated').waitFor()
  expect([await chatWith(key), await statusWith(key)]).toEqual([200, 200])
})

test('a rotated key shows its new secret once, and the old one works for the grace', async () => {
  const { page, member } = await openKeys('gus@example.com', { width: 375 })
  await page.getByRole('link', { name: 'First key' }).click()
  await page.getByRole('button', { name: 'Rotate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rotate First key?' })
  await dialog.getByLabel('The old secret stays valid for').selectOption({ label: 'One hour' })
  await dialog.getByRole('button', { name: 'Rotate key' }).click()
  await page.getByRole('heading', { name: 'First key has a new secret' }).waitFor()
  const key = (await page.locator('.secret .value').textContent()) ?? ''
  expect(key).not.toBe(member.firstKey.key)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('The key has not been copied').waitFor()
  await page.getByRole('button', { name: 'Copy and go on' }).click()
  expect(await keptTexts(page)).not.toContain(key.slice(-12))
  await page.locator('.fact-rows').getByText('Rotating').waitFor()
  expect([await statusWith(key), await statusWith(member.firstKey.key)]).toEqual([200, 200])
})

test('the limits of the organisation stand below its keys, and the owner of the server changes them', async () => {
  const { page, member } = await openKeys('hana@example.com', { language: 'ja' })
  await page.getByRole('heading', { name: 'hanaの上限' }).waitFor()
  await page.getByText('この組織に上限はありません。').waitFor()
  const { organisation } = await member.load()
  const owner = await openVisitor(helix.url)
  const browser = await openBrowser(helix.url)
  await browser.signIn('owner@example.com')
  await takeCookies(owner.context, helix.url, browser.cookies)
  await openPage(owner.page, '/admin/organisations')
  const row = owner.page.getByRole('row', { name: new RegExp(organisation?.id ?? 'none') })
  await row.getByRole('button', { name: /^Limits/ }).click()
  const dialog = owner.page.getByRole('dialog', { name: `Limits of ${organisation?.name}` })
  await dialog.getByLabel('Requests per minute').fill('7')
  await dialog.getByRole('button', { name: 'Save limits' }).click()
  await row.getByText('7 requests').waitFor()
  await page.reload()
  await page.getByText('0 / 7').waitFor()
})

test('a key with nothing but a budget for the day says so, beside the tokens of its month', async () => {
  const member = await signUp(helix.url, 'daily@example.com')
  await member.post('/keys', { name: 'Daily', limits: { tokensPerDay: 100_000 } })
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, member.cookies)
  await openPage(page, '/keys')
  const row = page.getByRole('row', { name: /Daily/ })
  expect(await row.locator('td.limits').textContent()).toBe('100K tokens/day')
  expect(await row.locator('td.use .budget').textContent()).toBe('0today 0 of 100K')
})

test('the page of a key shows its use, its requests and its history, and pauses it', async () => {
  const { page, member } = await openKeys('ines@example.com', { language: 'ja', width: 375, theme: 'dark' })
  expect(await chatWith(member.firstKey.key)).toBe(200)
  await openPage(page, `/keys/${member.firstKey.id}`)
  await page.getByText('このキーは有効です。').waitFor()
  await page.getByRole('img', { name: 'のトークン数' }).waitFor()
  await page.getByRole('button', { name: '日別' }).click()
  await page.waitForURL('**?by=day')
  await page.getByRole('row', { name: '回答済み' }).waitFor()
  expect(await page.locator('.code pre').textContent()).toContain(member.firstKey.key.slice(0, 12))
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: '一時停止' }).click()
  await page.getByText('このキーは一時停止中です。').waitFor()
  expect(await statusWith(member.firstKey.key)).toBe(403)
  await page.getByRole('row', { name: 'キーを一時停止' }).waitFor()
  await page.getByRole('button', { name: '再開' }).click()
  await page.getByText('このキーは有効です。').waitFor()
  expect(await statusWith(member.firstKey.key)).toBe(200)
  await openPage(page, '/keys/key_unknown')
  await page.getByText('キーが見つかりません。').waitFor()
})

test('many keys are sorted, paged and revoked several at once', async () => {
  const member = await signUp(helix.url, 'many@example.com')
  const names = Array.from({ length: 60 }, (_, index) => `key ${String(index).padStart(2, '0')}`)
  for (const name of names) await member.post('/keys', { name, limits: { requestsPerMinute: 5 } })
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, member.cookies)
  await openPage(page, '/keys')
  await page.getByText('1–50 of 61').waitFor()
  await page.getByLabel('Sort by').selectOption({ label: 'Name' })
  await page.getByRole('button', { name: 'Next' }).click()
  await page.waitForURL('**/keys?sort=name&page=2')
  const rows = page.locator('.table.keys tbody tr')
  await expect.poll(() => rows.first().getByRole('link').textContent()).toBe('key 49')
  await expect.poll(() => rows.count()).toBe(11)
  for (const name of ['key 50', 'key 51']) await page.getByLabel(`Select ${name}`).check()
  await page.getByRole('button', { name: 'Revoke selected' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke these 2 keys?' })
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByLabel('Type 2 to confirm').fill('2')
  await dialog.getByRole('button', { name: 'Revoke 2 keys' }).click()
  await page.getByRole('status').getByText('2 keys were revoked').waitFor()
  await page.getByRole('button', { name: /^Revoked 2/ }).click()
  await expect.poll(() => rows.getByRole('link').allTextContents()).toEqual(['key 50', 'key 51'])
})

test('a limit is checked on leaving its field, with what the organisation allows beside it', async () => {
  const { page, member } = await openKeys('lim@example.com')
  const { organisation } = await member.load()
  const owner = await openBrowser(helix.url)
  await owner.signIn('owner@example.com')
  await owner.post(`/admin/organisations/${organisation?.id}/limits`, { requestsPerMinute: 60 })
  await openPage(page, '/keys?dialog=create')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Limits, permissions and networks').click()
  await dialog.getByText('Organisation limit: 60').waitFor()
  await dialog.getByLabel('Requests per minute').fill('many')
  await page.keyboard.press('Tab')
  await dialog.getByText('Enter a whole number of 1 or more').waitFor()
  await dialog.getByLabel('Requests per minute').fill('100')
  await page.keyboard.press('Tab')
  await dialog.getByText('Above the organisation limit of 60, which still applies').waitFor()
})
