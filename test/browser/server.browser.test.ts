import { expect } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { startMailServer } from '../harness/mail-server.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import { startSite } from '../harness/start-site.ts'

test('the owner sees the engine at work, and of a secret only that it is set', async () => {
  const go = Promise.withResolvers<void>()
  const helix = await startSite({
    config: { smtpUrl: 'smtp://user:hunter2@127.0.0.1:1', mailFrom: 'a@b.example', upstreamKey: 'hunter2' },
    *answer() {
      yield { pause: go.promise }
      yield* ['Hello', '!']
    },
  })
  const owner = await claimServer(helix)
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/admin')
  await page.getByRole('link', { name: 'Server', exact: true }).click()
  await page.getByText('0 of 4 slots in use.').waitFor()
  const running = helix.chat({})
  await page.getByText('1 of 4 slots in use.').waitFor()
  go.resolve()
  expect((await running).status).toBe(200)
  await page.getByText('0 of 4 slots in use.').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'HELIX_UPSTREAM_KEY' })
  await row.getByText('set', { exact: true }).waitFor()
  await row.getByText('Needs a restart').waitFor()
  await page.getByPlaceholder('Set. Leave empty to keep it.').waitFor()
  expect(await page.content()).not.toContain('hunter2')
  expect(await page.getByRole('row').filter({ hasText: 'HELIX_HEARTBEAT_MS' }).count()).toBe(0)
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await page.getByRole('row').filter({ hasText: 'HELIX_HEARTBEAT_MS' }).getByText('10000').first().waitFor()
  // On a phone the current tab is in sight, although the tabs before it take more room than there is.
  await page.setViewportSize({ width: 375, height: 740 })
  await openPage(page, '/admin/server')
  const tab = page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Server', exact: true })
  const box = await tab.boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(375)
})

test('the owner changes who can sign up, and tries and saves a mail server', async () => {
  const post = await startMailServer()
  const helix = await startSite()
  const owner = await claimServer(helix)
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/admin/server')
  const signUpPart = page.getByRole('region', { name: 'Sign-up' })
  await signUpPart.getByLabel('New accounts per hour').fill('0')
  await signUpPart.getByLabel('Who can sign up').selectOption('closed')
  await signUpPart.getByRole('button', { name: 'Save' }).click()
  await signUpPart.getByText('Enter a whole number from 1 to 1,000,000.').waitFor()
  await signUpPart.getByLabel('New accounts per hour').fill('9')
  await signUpPart.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings saved.').waitFor()
  await signUpPart.getByText('Saved here.').first().waitFor()

  const mail = page.getByRole('region', { name: 'Mail', exact: true })
  await mail.getByLabel('Mail server').fill(post.url)
  await mail.getByLabel('Sender').fill('Helix <helix@example.com>')
  await mail.getByRole('button', { name: 'Send a test mail' }).click()
  await mail.getByText('Sent to owner@example.com').waitFor()
  expect((await post.mail()).to).toEqual(['owner@example.com'])
  await mail.getByRole('button', { name: 'Save' }).click()
  await mail.getByPlaceholder('Set. Leave empty to keep it.').waitFor()

  await openPage(page, '/admin/audit')
  await page.getByText('Setting changed').first().waitFor()
  await page.getByText('open → closed').waitFor()
  const visitor = await openVisitor(helix.url)
  await openPage(visitor.page, '/signup')
  await visitor.page.getByText('Sign-up is closed').first().waitFor()
})

test('what another owner changed is neither undone nor hidden by a page that was opened before', async () => {
  const helix = await startSite()
  const owner = await claimServer(helix)
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/admin/server')
  const limits = page.getByRole('group', { name: 'All organisations together' })
  const requests = limits.getByLabel('Requests per minute', { exact: true })
  const tokens = limits.getByLabel('Tokens per minute', { exact: true })
  await requests.fill('77')
  await tokens.fill('5000')
  await owner.post('/admin/settings', { changes: { requestsPerMinute: 88 } })
  await page.getByRole('region', { name: 'Limits' }).getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Someone else changed this at the same time.').waitFor()
  await expect.poll(() => requests.inputValue()).toBe('88')
  expect(await tokens.inputValue()).toBe('5000')
  await requests.fill('77')
  await page.getByRole('region', { name: 'Limits' }).getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Settings saved.').waitFor()
  const { data } = await (await owner.get('/admin/configuration')).json()
  expect(data).toContainEqual(expect.objectContaining({ name: 'requestsPerMinute', value: '77' }))
  expect(data).toContainEqual(expect.objectContaining({ name: 'tokensPerMinute', value: '5000' }))
})

test('what is typed while settings are being saved stays, and is saved next', async () => {
  const helix = await startSite()
  const owner = await claimServer(helix)
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, owner.cookies)
  await openPage(page, '/admin/server')
  const part = page.getByRole('region', { name: 'Sign-up' })
  const field = part.getByRole('textbox', { name: 'New accounts per hour' })
  const save = part.getByRole('button', { name: 'Save', exact: true })
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await context.route('**/platform/admin/settings', async (route) => {
    asked.resolve()
    await released.promise
    await route.continue()
  })
  await field.fill('9')
  await save.click()
  await asked.promise
  await field.fill('95')
  released.resolve()
  await page.getByText('Settings saved.').waitFor()
  await part.getByText('Saved here.').first().waitFor()
  expect(await field.inputValue()).toBe('95')
  const [answer] = await Promise.all([page.waitForResponse('**/platform/admin/settings'), save.click()])
  expect(answer.status()).toBe(200)
  await expect.poll(() => save.isDisabled()).toBe(true)
  expect(await field.inputValue()).toBe('95')
})

test('a member sees that this page is for the owner', async () => {
  const helix = await startSite()
  await claimServer(helix)
  const anna = await signUp(helix.url, 'anna@example.com')
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, anna.cookies)
  await openPage(page, '/admin/server')
  await page.getByText('Only the server’s owner').waitFor()
  expect(await page.getByText('HELIX_SMTP_URL').count()).toBe(0)
})
