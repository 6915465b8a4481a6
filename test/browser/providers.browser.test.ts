import { beforeAll, beforeEach, expect } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openProvider } from '../harness/openid-provider.ts'
import { openPage } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'
import { fillForm, goodPassword } from './fill-form.ts'
import { keptTexts } from './kept-texts.ts'

let helix: Helix
let provider: Awaited<ReturnType<typeof openProvider>>
beforeAll(async () => {
  provider = await openProvider({ asksFirst: true })
  helix = await openSiteServer({ config: provider.settings })
  await claimServer(helix)
  return async () => {
    await helix.close()
    await provider.close()
  }
})
beforeEach(() => {
  provider.state.lies = {}
})

const visit = (options: Parameters<typeof openVisitor>[1] = {}) =>
  openVisitor(helix.url, { ...options, elsewhere: provider.issuer })

test('a new person signs up there, sees the first key once, and signs in again the same way', async () => {
  provider.state.person = { sub: 'ann', email: 'ann@example.com', email_verified: true, name: 'Ann' }
  const { page } = await visit()
  await page.goto('/signup')
  await page.getByRole('button', { name: 'Continue with Example ID' }).click()
  await page.getByRole('link', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'This is your key. It is shown once.' }).waitFor()
  expect(page.url()).toBe(`${helix.url}/welcome`)
  const key = (await page.locator('.secret .value').innerText()).trim()
  expect(await keptTexts(page)).not.toContain(key)
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await openPage(page, '/settings')
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ann')
  await page.getByRole('button', { name: 'Set password' }).waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.goto('/signin?next=/playground')
  await page.getByRole('button', { name: 'Continue with Example ID' }).click()
  await page.getByRole('link', { name: 'Allow' }).click()
  await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor()
  expect(await keptTexts(page)).not.toContain('code=')
})

test('an account without a password sets one, and signs in with it', async () => {
  provider.state.person = { sub: 'bea', email: 'bea@example.com', email_verified: true }
  const { page } = await visit()
  await page.goto('/signup')
  await page.getByRole('button', { name: 'Continue with Example ID' }).click()
  await page.getByRole('link', { name: 'Allow' }).click()
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await openPage(page, '/settings')
  await page.getByLabel('New password').fill(goodPassword)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('status').getByText('Password set').waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await fillForm(page, 'bea@example.com')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/keys')
})

test('an account is connected in the settings, and disconnected', async () => {
  provider.state.person = { sub: 'cara-there', email: 'cara.there@example.com', email_verified: true }
  await signUp(helix.url, 'cara@example.com')
  const { page } = await visit()
  await page.goto('/signin?next=/settings')
  await fillForm(page, 'cara@example.com')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Connect Example ID' }).click()
  await page.getByRole('link', { name: 'Allow' }).click()
  await page.getByText('cara.there@example.com').waitFor()
  expect(page.url()).toBe(`${helix.url}/settings`)
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Disconnect Example ID' }).click()
  await page.getByRole('button', { name: 'Connect Example ID' }).waitFor()
})

test.for([
  { language: 'en', title: 'Sign-in failed', text: 'returned an invalid response' },
  { language: 'ja', title: 'サインインできませんでした', text: '正しいレスポンスが返りませんでした' },
] as const)(
  'a provider that fails midway is reported ($language), and nobody is signed in',
  async ({ language, title, text }) => {
    provider.state.person = { sub: 'dan', email: 'dan@example.com', email_verified: true }
    const { page } = await visit({ language })
    await page.goto('/signin')
    await page.locator('[data-providers] button').click()
    provider.state.lies = { broken: 'token' }
    await page.getByRole('link', { name: 'Allow' }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    expect(await page.locator('[data-view="failed"] .subtitle').innerText()).toContain(text)
    expect(await accessibilityViolations(page)).toEqual([])
    expect(page.url()).toBe(`${helix.url}/callback/oidc`)
    await page.goto('/keys')
    await page.waitForURL('**/signin?next=*')
  },
)

test('an email that is already taken is reported, with what to do', async () => {
  provider.state.person = { sub: 'eve', email: 'owner@example.com', email_verified: true }
  const { page } = await visit()
  await page.goto('/signin')
  await page.getByRole('button', { name: 'Continue with Example ID' }).click()
  await page.getByRole('link', { name: 'Allow' }).click()
  await page.getByText('Sign in with your password, then connect the service in Settings.').waitFor()
  await page.getByRole('link', { name: 'Back to sign-in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
})

test('what a server knows of somebody is downloaded', async () => {
  await signUp(helix.url, 'finn@example.com')
  const { page } = await visit()
  await page.goto('/signin?next=/settings')
  await fillForm(page, 'finn@example.com')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('helix-account.json')
})
