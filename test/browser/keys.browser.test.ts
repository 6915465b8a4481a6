import { beforeAll, expect } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
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
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
  expect(await keptTexts(page)).not.toContain(key.slice(-12))
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Two keys are live.').waitFor()
  expect(await page.content()).not.toContain(key)
  expect(await statusWith(key)).toBe(200)

  const row = page.getByRole('row', { name: /Nightly report/ })
  await row.getByRole('button', { name: 'Revoke Nightly report' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke Nightly report?' })
  const revoke = dialog.getByRole('button', { name: 'Revoke key' })
  await dialog.getByLabel('Type Nightly report to confirm').fill('Nightly')
  expect(await revoke.isDisabled()).toBe(true)
  expect(await statusWith(key)).toBe(200)
  await dialog.getByLabel('Type Nightly report to confirm').fill('Nightly report')
  await revoke.click()
  await page.getByRole('status').getByText('Nightly report was revoked').waitFor()
  await row.getByText('Revoked').waitFor()
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Keys')
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

test('keys are found by name and state, and an organisation without keys is told what to do', async () => {
  const { page, member } = await openKeys('cara@example.com', { width: 375 })
  await page.getByRole('searchbox').fill('nothing like it')
  await page.getByText('No key matches.').waitFor()
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
  const again = page.getByRole('dialog', { name: 'Sign in again to go on' })
  await again.getByLabel('Password', { exact: true }).fill('wrong password here')
  await again.getByRole('button', { name: 'Sign in' }).click()
  await again.getByText('Email or password is wrong.').waitFor()
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
  await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
  await context.setOffline(false)
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('heading', { name: 'Train is ready' }).waitFor()
})
