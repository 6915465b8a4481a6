import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'
import { fillForm } from './fill-form.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openSiteServer()
  await claimServer(helix)
  return helix.close
})

/** A phone or a laptop's sensor, in Chromium's own terms: it has passkeys and knows its owner's finger. */
const addAuthenticator = async (page: Page) => {
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('WebAuthn.enable')
  const { authenticatorId } = await protocol.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** From now on its owner is not there, or does not want to. */
    refuse: () => protocol.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
    accept: () => protocol.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true }),
    count: async () => (await protocol.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  }
}

const openSettings = async (email: string) => {
  // The address that the server prints: a passkey belongs to a name, and 127.0.0.1 is none.
  const visitor = await openVisitor(helix.server.siteUrl)
  const { page } = visitor
  const authenticator = await addAuthenticator(page)
  await page.goto('/signin')
  await fillForm(page, email)
  await page.locator('form:visible button[type="submit"]').click()
  await page.waitForURL('**/keys')
  await openPage(page, '/settings')
  return { page, authenticator }
}
const part = (page: Page) => page.getByRole('region', { name: 'Passkeys' })

test('a passkey is created, named, and signs in without a password', async () => {
  await signUp(helix.url, 'ann@example.com')
  const { page, authenticator } = await openSettings('ann@example.com')
  await part(page).getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Name this passkey' })
  await dialog.getByLabel('Passkey name').fill('My laptop')
  await dialog.getByRole('button', { name: 'Save name' }).click()
  await part(page).getByText('My laptop').waitFor()
  expect(await authenticator.count()).toBe(1)
  expect(await accessibilityViolations(page)).toEqual([])

  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL('**/keys')
  await openPage(page, '/settings')
  await part(page).getByText('Last used now').waitFor()
})

test('a passkey that was removed is not accepted, and the page says so', async () => {
  await signUp(helix.url, 'amy@example.com')
  const { page } = await openSettings('amy@example.com')
  await part(page).getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save name' }).click()
  await part(page)
    .getByRole('button', { name: /^Remove passkey/ })
    .click()
  await page.getByRole('status').getByText('Passkey removed').waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('alert').getByText('The passkey was not accepted.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})

test('an unverified person is not signed in, and cancelling shows no error', async () => {
  await signUp(helix.url, 'ben@example.com')
  const { page, authenticator } = await openSettings('ben@example.com')
  await part(page).getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save name' }).click()
  await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click()
  await authenticator.refuse()
  const button = page.getByRole('button', { name: 'Sign in with a passkey' })
  await button.click()
  await page.locator('[data-passkey-button]:not([aria-disabled]):visible').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(page.url()).toContain('/signin')
  await authenticator.accept()
  await button.click()
  await page.waitForURL('**/keys')
})

test('a bare address offers no passkeys, and says why', async () => {
  const { page } = await openVisitor(helix.url, { elsewhere: helix.server.siteUrl })
  await page.goto('/signin')
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await fillForm(page, 'owner@example.com')
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0)
  await page.locator('form:visible button[type="submit"]').click()
  await page.waitForURL('**/keys')
  await openPage(page, '/settings')
  await part(page).getByText('Passkeys need a host name and HTTPS.').waitFor()
  await part(page).getByRole('link', { name: 'Open this page at localhost' }).click()
  await page.waitForURL(`${helix.server.siteUrl}/**`)
})
