import { beforeAll, expect } from 'vitest'
import { type BrowserSession, claimServer, joinAs } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import { type Helix, modelName } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'

let helix: Helix
let owner: BrowserSession
beforeAll(async () => {
  helix = await openSiteServer({ config: { organisationRequestsPerMinute: 4, tokensPerMonth: 9000 } })
  owner = await claimServer(helix)
  return helix.close
})

const ask = () =>
  owner.post('/playground/chat/completions', { model: modelName, messages: [{ role: 'user', content: 'Hi' }] })

test('the page follows usage without a reload, and says when nothing is left', async () => {
  const { page, context } = await openVisitor(helix.url, { language: 'en' })
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/limits')
  const row = page.getByRole('row').filter({ hasText: 'Requests per minute' })
  await row.getByText('0 of 4').waitFor()
  await page.getByText('No limit is close to being reached.').waitFor()
  for (let turn = 0; turn < 4; turn += 1) expect((await ask()).status).toBe(200)
  await row.getByText('4 of 4').waitFor()
  await page.getByText('Requests per minute: limit reached.').waitFor()
  await row.getByText('server default').waitFor()
  await page.getByRole('row').filter({ hasText: 'Tokens per month' }).last().getByText('24 of 9,000').waitFor()
})

test('two admins who change one limit at once: the second sees what the first did, and loses nothing they typed', async () => {
  const yuki = await joinAs(helix.url, owner, 'admin', 'yuki@example.com')
  const [first, second] = await Promise.all([openVisitor(helix.url), openVisitor(helix.url, { language: 'ja' })])
  await takeCookies(first.context, helix.url, owner.cookies)
  await takeCookies(second.context, helix.url, yuki.cookies)
  const name = 'Shared'
  const { id } = (await (await owner.post('/keys', { name })).json()) as { id: string }
  await openPage(first.page, `/keys/${id}`)
  await first.page.getByRole('button', { name: 'Edit' }).click()
  await openPage(second.page, `/keys/${id}`)
  await second.page.getByRole('button', { name: '変更' }).click()

  await first.page.getByLabel('Requests per minute').fill('120')
  await first.page.getByLabel('Tokens per day').fill('50,000')
  await first.page.getByRole('button', { name: 'Save' }).click()
  await first.page.getByRole('status').getByText(name).waitFor()

  const dialog = second.page.getByRole('dialog')
  await dialog.getByLabel('1分あたりのリクエスト数').fill('30')
  await dialog.getByRole('button', { name: '保存' }).click()
  await dialog.getByRole('alert').getByText('その間にほかの人が上限を変更しました。').waitFor()
  await dialog.getByText('ほかの人が120に変更しました。').waitFor()
  expect(await dialog.getByLabel('1分あたりのリクエスト数').inputValue()).toBe('30')
  expect(await dialog.getByLabel('1日あたりのトークン数').inputValue()).toBe('50000')
  await dialog.getByRole('button', { name: '保存' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const { data } = (await (await owner.get('/keys')).json()) as { data: { id: string; limits: object }[] }
  expect(data.find((key) => key.id === id)).toMatchObject({
    limits: { requestsPerMinute: 30, tokensPerDay: 50_000 },
  })
})

test('an owner with two windows sees the same warning for the limits of an organisation', async () => {
  const windows = await Promise.all([openVisitor(helix.url), openVisitor(helix.url)])
  const { organisation } = await owner.load()
  for (const { page, context } of windows) {
    await takeCookies(context, helix.url, owner.cookies)
    await openPage(page, '/admin/organisations')
    await page.getByRole('button', { name: `Limits of ${organisation?.name}`, exact: true }).click()
  }
  const [one, other] = windows.map(({ page }) => page.getByRole('dialog'))
  await one?.getByLabel('Concurrent requests').fill('9')
  await one?.getByRole('button', { name: 'Save limits' }).click()
  await one?.waitFor({ state: 'hidden' })
  await other?.getByLabel('Tokens per month').fill('1000')
  await other?.getByRole('button', { name: 'Save limits' }).click()
  await other?.getByText('The limits were not changed.').waitFor()
  await other?.getByText('Someone else set this to 9.').waitFor()
  expect(await other?.getByLabel('Concurrent requests').inputValue()).toBe('9')
  expect(await other?.getByLabel('Tokens per month').inputValue()).toBe('1000')
  await other?.getByRole('button', { name: 'Save limits' }).click()
  await other?.waitFor({ state: 'hidden' })
})
