import { expect } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import { startSite } from '../harness/start-site.ts'

test('the owner sees the engine at work, and of a secret only that it is set', async () => {
  const go = Promise.withResolvers<void>()
  const helix = await startSite({
    config: { smtpUrl: 'smtp://user:hunter2@127.0.0.1:1', mailFrom: 'a@b.example' },
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
  const row = page.getByRole('row').filter({ hasText: 'HELIX_SMTP_URL' })
  await row.getByText('set', { exact: true }).waitFor()
  expect(await page.content()).not.toContain('hunter2')
  expect(await page.getByRole('row').filter({ hasText: 'HELIX_HEARTBEAT_MS' }).count()).toBe(0)
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await page.getByRole('row').filter({ hasText: 'HELIX_HEARTBEAT_MS' }).getByText('10000').first().waitFor()
  // On a phone the current tab, which is the last, is in sight.
  await page.setViewportSize({ width: 375, height: 740 })
  await openPage(page, '/admin/server')
  const tab = page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Server' })
  const box = await tab.boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(375)
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
