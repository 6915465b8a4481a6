import { beforeAll, expect } from 'vitest'
import { type BrowserSession, claimServer } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { startReceiver } from '../harness/webhook-receiver.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

let helix: Helix
let owner: BrowserSession
beforeAll(async () => {
  helix = await openSiteServer({ config: { webhookNetworks: ['127.0.0.0/8'] } })
  owner = await claimServer(helix)
  return helix.close
})

test('an admin adds a webhook, copies its secret, sends a test and finds it in the log, on a phone too', async () => {
  const receiver = await startReceiver()
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/webhooks')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await dialog.getByText('Enter a URL.').waitFor()
  await dialog.getByLabel('URL').fill(receiver.url)
  await dialog.getByRole('checkbox', { name: /^A key expires/ }).uncheck()
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await dialog.getByRole('button', { name: 'Copy secret' }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/^whsec_/)
  await dialog.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row').filter({ hasText: receiver.url })
  await row.getByText('A budget reaches 50%, 80% or 100%').waitFor()
  expect(await row.getByText('A key expires').count()).toBe(0)
  await row.getByRole('button', { name: /^Send test/ }).click()
  await receiver.hook()
  await row.getByRole('button', { name: /^Log/ }).click()
  await dialog.getByText('Delivered').waitFor()
  await dialog.getByText('Status 204').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: /^Send again/ }).click()
  await receiver.hook(2)
  const phone = await openVisitor(helix.url, { language: 'ja', width: 375, theme: 'dark' })
  await takeCookies(phone.context, helix.url, owner.cookies)
  await openPage(phone.page, '/webhooks')
  await phone.page.getByText('イベントの通知先は1件です。').waitFor()
  expect(await accessibilityViolations(phone.page)).toEqual([])
})
