import { expect } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import { modelName } from '../harness/start-helix.ts'
import { startSite } from '../harness/start-site.ts'

test('a budget in money is typed in units of the currency, and compared with what the organisation may spend', async () => {
  const prices = { [modelName]: { prompt: 1_000_000, cached: 1_000_000, completion: 1_000_000 } }
  const helix = await startSite({ config: { prices, currency: 'EUR', organisationCostPerDay: 12.5 } })
  await claimServer(helix)
  const member = await signUp(helix.url, 'anna@example.com')
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, member.cookies)
  await openPage(page, '/keys')
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a key' })
  await dialog.getByLabel('Name', { exact: true }).fill('Nightly report')
  await dialog.getByText('Limits, permissions and networks').click()
  const budget = dialog.getByLabel('Cost per day (EUR)')
  await dialog.getByText('Organisation limit: €12.50').waitFor()
  await budget.fill('13.5')
  await dialog.getByText('Above the organisation limit of €12.50').waitFor()
  await budget.fill('2.50')
  await budget.blur()
  await dialog.getByText('Organisation limit: €12.50').waitFor()
  expect(await dialog.getByText('Enter an amount above 0').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('heading', { name: 'Nightly report is ready' }).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page
    .getByRole('row', { name: /Nightly report/ })
    .getByText('today €0.00 of €2.50')
    .waitFor()
})

test('requests per day are typed as a whole number, and the list says how many are used', async () => {
  const helix = await startSite({ config: { organisationRequestsPerDay: 500 } })
  await claimServer(helix)
  const member = await signUp(helix.url, 'anna@example.com')
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, member.cookies)
  await openPage(page, '/keys')
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a key' })
  await dialog.getByLabel('Name', { exact: true }).fill('Nightly report')
  await dialog.getByText('Limits, permissions and networks').click()
  const field = dialog.getByLabel('Requests per day')
  await dialog.getByText('Organisation limit: 500').waitFor()
  await field.fill('2.5')
  await field.blur()
  await dialog.getByText('Enter a whole number of 1 or more').waitFor()
  await field.fill('300')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('heading', { name: 'Nightly report is ready' }).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row', { name: /Nightly report/ })
  await row.getByText('today 0 of 300 requests').waitFor()
  await openPage(page, '/limits')
  await page
    .getByRole('row', { name: /Requests per day/ })
    .first()
    .waitFor()
})
