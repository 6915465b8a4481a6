import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { type BrowserSession, claimServer, joinAs, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, pageSettled, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { fillForm } from './fill-form.ts'

let helix: Helix
let owner: BrowserSession
beforeAll(async () => {
  helix = await openSiteServer()
  owner = await claimServer(helix)
  return helix.close
})

/** A browser in which this person is signed in, on a page. */
const browserOf = async (person: BrowserSession, path: string, options: Parameters<typeof openVisitor>[1] = {}) => {
  const visitor = await openVisitor(helix.url, options)
  await takeCookies(visitor.context, helix.url, person.cookies)
  await openPage(visitor.page, path)
  return visitor
}
const memberRow = (page: Page, email: string) => page.getByRole('row', { name: new RegExp(email) })

const inviteByLink = async (page: Page, role: string): Promise<string> => {
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Role').selectOption({ label: role })
  await dialog.getByRole('button', { name: 'Create invitation' }).click()
  await page.getByRole('heading', { name: 'The invitation is ready' }).waitFor()
  const link = (await page.locator('.created-link').textContent()) ?? ''
  await page.getByRole('button', { name: 'Done' }).click()
  return link
}

test('one member invites by link, another person signs up with it, and each sees the other', async () => {
  const anna = await signUp(helix.url, 'anna@example.com')
  const { page: annas } = await browserOf(anna, '/team')
  await annas.getByText('You are the only member.').waitFor()
  const link = await inviteByLink(annas, 'Member')
  await annas.getByText('One invitation is pending.').waitFor()
  expect(await annas.content()).not.toContain(link.split('#')[1])

  const { page: bens } = await openVisitor(helix.url)
  await bens.goto(link)
  await bens.getByRole('heading', { name: 'Join anna' }).waitFor()
  await bens.getByText('anna@example.com has invited you to join. You’ll join as Member.').waitFor()
  await bens.getByRole('link', { name: 'Create an account and join' }).click()
  await bens.getByRole('heading', { name: 'Create an account' }).waitFor()
  await fillForm(bens, 'ben@example.com')
  await bens.getByRole('button', { name: 'Sign up and get a key' }).click()
  await bens.locator('.secret').waitFor()
  await openPage(bens, '/team')
  await bens.getByText('Two members.').waitFor()
  expect(await bens.getByRole('button', { name: 'Invite', exact: true }).count()).toBe(0)

  await annas.reload()
  await memberRow(annas, 'ben@example.com').waitFor()
  await annas.getByLabel('Role of ben@example.com').selectOption({ label: 'Viewer' })
  await annas.getByRole('status').getByText('ben@example.com: Viewer').waitFor()
  await openPage(bens, '/keys')
  await bens.getByText(/keys are live|One key is live/).waitFor()
  expect(await bens.getByRole('button', { name: 'Create key' }).count()).toBe(0)
})

test('somebody with an account signs in on the way, accepts, and goes back and forth between two organisations', async () => {
  const cara = await signUp(helix.url, 'cara@example.com')
  await signUp(helix.url, 'dan@example.com')
  const { page: caras } = await browserOf(cara, '/team')
  const link = await inviteByLink(caras, 'Admin')
  const { page } = await openVisitor(helix.url)
  await page.goto(link)
  await page.getByRole('link', { name: 'Sign in and join' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await fillForm(page, 'dan@example.com')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('You are signed in as dan@example.com.').waitFor()
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByText('Two members.').waitFor()
  expect(page.url()).toBe(`${helix.url}/team`)
  await page.locator('.rail .organisation-switch').click()
  await page.getByRole('dialog').getByRole('button', { name: /^dan / }).click()
  await page.getByText('You are the only member.').waitFor()
  // The same session in another window learns of it, and changes nothing by mistake.
  const second = await page.context().newPage()
  await openPage(second, '/keys')
  await page.locator('.rail .organisation-switch').click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^cara / })
    .click()
  await page.getByText('Two members.').waitFor()
  await second.getByRole('button', { name: 'Create key' }).click()
  await second.getByLabel('Name', { exact: true }).fill('by mistake')
  await second.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await second.getByText('You switched organisations in another tab').waitFor()
  await second.locator('.rail .organisation-switch').getByText('cara').waitFor()
  // A used invitation is told as such.
  await page.goto('about:blank')
  await page.goto(link)
  await page.getByText('This invitation has already been accepted.').waitFor()
})

test('the last owner hands over, leaves, and goes on in an organisation of their own, in Japanese on a phone too', async () => {
  const emi = await signUp(helix.url, 'emi@example.com', { language: 'ja' })
  await joinAs(helix.url, emi, 'member', 'fumi@example.com')
  const { page } = await browserOf(emi, '/team', { language: 'ja', width: 375 })
  await page.getByText('最後の所有者のため離れられません。').waitFor()
  await page.getByRole('button', { name: '所有権の移譲' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '所有権を移す' }).click()
  await page.getByRole('status').getByText('fumi@example.comに所有権を移しました').waitFor()
  await page.getByRole('button', { name: '組織を離れる' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '離れる' }).click()
  await page.getByText('メンバーは1人だけです。').waitFor()
})

test('somebody who is suspended while they work sees it, and continues once resumed', async () => {
  const gil = await signUp(helix.url, 'gil@example.com')
  const { page: gils } = await browserOf(gil, '/keys')
  const { page: owners } = await browserOf(owner, '/admin/accounts')
  await owners.getByRole('button', { name: 'Suspend gil@example.com' }).click()
  await owners.getByRole('dialog').getByRole('button', { name: 'Suspend', exact: true }).click()
  await owners.getByRole('status').getByText('gil@example.com is suspended').waitFor()
  const refused = await fetch(`${helix.baseUrl}/models`, { headers: { authorization: `Bearer ${gil.firstKey.key}` } })
  expect(refused.status).toBe(403)
  await gils.getByRole('button', { name: 'Create key' }).click()
  await gils.getByLabel('Name', { exact: true }).fill('late')
  await gils.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await gils.getByRole('heading', { name: 'Account suspended' }).waitFor()
  await gils.reload()
  await gils.getByText('This account is suspended. Contact the server’s owner.').waitFor()
  await owners.getByRole('button', { name: 'Resume gil@example.com' }).click()
  await owners.getByRole('status').getByText('gil@example.com is active again').waitFor()
  await openPage(gils, '/keys')
  await gils.getByText('One key is live.').waitFor()
})

test('a suspended organisation says so, and its members can switch to another', async () => {
  const hana = await signUp(helix.url, 'hana@example.com')
  const { page } = await browserOf(hana, '/keys')
  const { page: owners } = await browserOf(owner, '/admin/organisations')
  await owners.getByRole('button', { name: 'Details of hana' }).click()
  await owners.getByRole('dialog').getByText('hana@example.com').waitFor()
  await owners.keyboard.press('Escape')
  await owners.getByRole('button', { name: 'Suspend hana' }).click()
  await owners.getByRole('dialog').getByRole('button', { name: 'Suspend', exact: true }).click()
  await owners.getByRole('status').getByText('hana is suspended').waitFor()
  await page.reload()
  await page.getByText('This organisation is suspended.').waitFor()
  await page.locator('.rail .organisation-switch').click()
  await page.getByRole('dialog').getByRole('button', { name: 'New organisation' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Fresh start')
  await page.getByRole('dialog').getByRole('button', { name: 'New organisation' }).click()
  await page.getByText('Calls to the API need a key').waitFor()
})

test('what the playground could not save is not lost by switching without a question', async () => {
  const mara = await signUp(helix.url, 'mara@example.com')
  await mara.post('/organisations', { name: 'Second' })
  const { page } = await browserOf(mara, '/playground')
  const isSaving = '**/platform/playground/draft'
  await page.route(isSaving, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  await page.getByLabel('System', { exact: true }).fill('Be short.')
  await page.locator('.rail .organisation-switch').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^mara / }).click()
  await dialog.getByText('If you switch to another organisation now, it is lost.').waitFor()
  expect(await page.getByLabel('System', { exact: true }).inputValue()).toBe('Be short.')
  await page.unroute(isSaving)
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.rail .organisation-switch').getByText('mara').waitFor()
  await expect.poll(() => page.getByLabel('System', { exact: true }).inputValue()).toBe('')
})

test('the audit log shows what was done, can be filtered, and downloads as a file', async () => {
  const ines = await signUp(helix.url, 'ines@example.com')
  await ines.post('/keys', { name: 'Nightly report' })
  await ines.post('/organisation/rename', { name: 'Orchard', was: 'ines' })
  const { page } = await browserOf(ines, '/audit')
  await page.getByRole('row', { name: /Organisation renamed Orchard ines@example.com/ }).waitFor()
  await page.getByLabel('Event type', { exact: true }).selectOption({ label: 'Keys' })
  await page.getByText('Organisation renamed').waitFor({ state: 'detached' })
  await page.getByLabel('Target').fill('nightly')
  await page.getByText('First key').waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /Key created Nightly report/ }).waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()])
  expect(download.suggestedFilename()).toBe('helix-audit.csv')
  await page.getByLabel('Target').fill('nothing like it')
  await page.getByText('No matching events.').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('Organisation renamed').waitFor()
  await pageSettled(page)
})

test('a name that could not be saved stays in its field, and is saved once the server can be reached', async () => {
  const rena = await signUp(helix.url, 'rena@example.com')
  const { page, context } = await browserOf(rena, '/team')
  const name = page.getByRole('main').getByLabel('Name', { exact: true })
  await name.fill('Rena & Co')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('alert').waitFor()
  expect(await name.inputValue()).toBe('Rena & Co')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.locator('.rail .organisation-switch').getByText('Rena & Co').waitFor()
})

test('an invitation pasted into the tab that shows another one is the one that counts', async () => {
  const ida = await signUp(helix.url, 'ida@example.com')
  const jun = await signUp(helix.url, 'jun@example.com')
  const linkOf = async (person: BrowserSession): Promise<string> => {
    const made = await person.post('/organisation/invitations', { role: 'member', send: 'link' })
    return ((await made.json()) as { url: string }).url
  }
  const { page } = await openVisitor(helix.url)
  await page.goto(await linkOf(ida))
  await page.getByRole('heading', { name: 'Join ida' }).waitFor()
  await page.goto(await linkOf(jun))
  await page.getByRole('heading', { name: 'Join jun' }).waitFor()
})
