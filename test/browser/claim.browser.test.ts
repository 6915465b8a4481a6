import { expect } from 'vitest'
import { claimServer } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { startSite } from '../harness/start-site.ts'
import { fillForm, goodPassword } from './fill-form.ts'

test('the link that the server printed makes its visitor the owner and shows the first key', async () => {
  const helix = await startSite()
  const { page } = await openVisitor(helix.server.siteUrl)
  await page.goto(helix.server.claimUrl ?? '')
  await fillForm(page, 'owner@example.com')
  await page.getByRole('button', { name: 'Claim it and get a key' }).click()
  await page.waitForURL(`${helix.server.siteUrl}/welcome`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.goto('/admin/accounts')
  await page.getByRole('main').getByText('owner@example.com').first().waitFor()
})

test('a wrong link says so and keeps what was typed', async () => {
  const helix = await startSite()
  const { page } = await openVisitor(helix.server.siteUrl)
  await page.goto(`${helix.server.claimUrl}x`)
  await fillForm(page, 'owner@example.com')
  await page.getByRole('button', { name: 'Claim it and get a key' }).click()
  await page.getByRole('alert').getByText('This is not the latest link').waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe('owner@example.com')
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(goodPassword)
})

test('half a link, or none, says where the whole one is', async () => {
  const helix = await startSite()
  const { page } = await openVisitor(helix.server.siteUrl, { language: 'ja' })
  await page.goto('/claim')
  await page.getByRole('heading', { level: 1, name: /リンク/ }).waitFor()
})

test('the right link, pasted over a wrong one in the same tab, counts', async () => {
  const helix = await startSite()
  const { page } = await openVisitor(helix.server.siteUrl)
  await page.goto('/claim')
  await page.getByRole('heading', { level: 1, name: /link/ }).waitFor()
  await page.goto(helix.server.claimUrl ?? '')
  await fillForm(page, 'owner@example.com')
  await page.getByRole('button', { name: 'Claim it and get a key' }).click()
  await page.waitForURL('**/welcome')
  await page.locator('.secret').waitFor()
  // The page that shows the key is the same document, and must not be loaded again by a fragment.
  await page.evaluate("location.hash = 'page'")
  await page.locator('.secret').waitFor()
})

test('a used link says that the server has an owner', async () => {
  const helix = await startSite()
  await claimServer(helix)
  const { page } = await openVisitor(helix.server.siteUrl)
  await page.goto(helix.server.claimUrl ?? '')
  await page.getByRole('heading', { level: 1, name: 'This server is already claimed' }).waitFor()
})

test('before the server is claimed, sign-up says whose turn it is', async () => {
  const helix = await startSite()
  const { page } = await openVisitor(helix.server.siteUrl)
  await page.goto('/signup')
  await page.getByRole('heading', { level: 1, name: 'This server is not claimed yet' }).waitFor()
})
