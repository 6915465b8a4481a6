import { beforeAll, expect } from 'vitest'
import { claimServer, tokenOf } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer, startSite } from '../harness/start-site.ts'
import { fillForm } from './fill-form.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openSiteServer()
  await claimServer(helix)
  return helix.close
})

const refusals = [
  {
    what: 'an email that is none',
    email: 'anna',
    password: 'plum harbour lantern',
    en: 'Enter a valid email address',
  },
  { what: 'a taken email', email: 'owner@example.com', password: 'plum harbour lantern', en: 'Sign in instead.' },
  { what: 'a short password', email: 'a@example.com', password: 'plum', en: 'Too short: use at least 10 characters.' },
  {
    what: 'a common password',
    email: 'a@example.com',
    password: 'password123',
    en: 'too common',
  },
]

test.for(refusals)('$what is refused at its field, and what was typed stays', async ({ email, password, en }) => {
  const { page } = await openVisitor(helix.url)
  await page.goto('/signup')
  await fillForm(page, email, password)
  await page.getByRole('button', { name: 'Sign up and get a key' }).click()
  await page.locator('.error-text').getByText(en).waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe(email)
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(password)
  expect(page.url()).toBe(`${helix.url}/signup`)
})

test.for(refusals)('$what is refused in Japanese too', async ({ email, password }) => {
  const { page } = await openVisitor(helix.url, { language: 'ja', width: 375 })
  await page.goto('/signup')
  await fillForm(page, email, password)
  await page.locator('form:visible button[type="submit"]').click()
  await expect.poll(() => page.locator('.error-text').first().textContent()).toMatch(/[ぁ-ん]/)
})

test('a form that is sent before its words are there is sent once they are', async () => {
  const { page, context } = await openVisitor(helix.url)
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let scripts = 0
  // The script of the page comes first, and then its words, which have the same name.
  await context.route(/\/auth-[^/]*\.js$/, async (route) => {
    scripts += 1
    if (scripts > 1) {
      asked.resolve()
      await released.promise
    }
    await route.continue()
  })
  await page.goto('/signup')
  await asked.promise
  await fillForm(page, 'early@example.com')
  await page.getByRole('button', { name: 'Sign up and get a key' }).click()
  released.resolve()
  await page.getByRole('heading', { name: 'This is your key. It is shown once.' }).waitFor()
})

test('a form whose words cannot be loaded is loaded again when it is sent', async () => {
  const { page, context } = await openVisitor(helix.url)
  const failed = Promise.withResolvers<void>()
  let pageScript = ''
  let isReachable = false
  await context.route(/\/auth-[^/]*\.js$/, async (route) => {
    const url = route.request().url()
    if (pageScript === '') pageScript = url
    if (isReachable || url === pageScript) return route.continue()
    await route.abort()
    failed.resolve()
  })
  await page.goto('/signup')
  await failed.promise
  await fillForm(page, 'again@example.com')
  isReachable = true
  const button = page.getByRole('button', { name: 'Sign up and get a key' })
  await Promise.all([page.waitForEvent('load'), button.click()])
  await fillForm(page, 'again@example.com')
  await button.click()
  await page.getByRole('heading', { name: 'This is your key. It is shown once.' }).waitFor()
})

test('an invitation opens a server that takes accounts by invitation only', async () => {
  const closed = await startSite({ config: { signUp: 'invitation' } })
  const owner = await claimServer(closed)
  const { page } = await openVisitor(closed.url)
  await page.goto('/signup')
  await page.getByRole('heading', { level: 1, name: 'Sign-up is by invitation' }).waitFor()
  const made = await owner.post('/admin/links', { kind: 'invitation', email: 'gus@example.com' })
  const { url } = (await made.json()) as { url: string }
  expect(tokenOf(url)).not.toBe('')
  await page.goto('about:blank')
  await page.goto(url)
  await fillForm(page, 'gus@example.com')
  await page.getByRole('button', { name: 'Sign up and get a key' }).click()
  await page.getByRole('heading', { name: 'This is your key. It is shown once.' }).waitFor()
  expect(page.url()).toBe(`${closed.url}/welcome`)
})

test('beside the new key, code samples and answer fill the width of the page', async () => {
  const { page } = await openVisitor(helix.url, { width: 1440 })
  await page.goto('/signup')
  await fillForm(page, 'wide@example.com')
  await page.getByRole('button', { name: 'Sign up and get a key' }).click()
  await page.getByRole('heading', { name: 'This is your key. It is shown once.' }).waitFor()
  const box = async (of: string) => {
    const { x, width } = (await page.locator(of).boundingBox()) ?? expect.unreachable()
    return { left: Math.round(x), right: Math.round(x + width) }
  }
  const [key, calls, live] = [await box('.welcome .secret'), await box('.welcome .calls'), await box('.welcome .live')]
  expect({ left: calls.left, right: live.right }).toEqual(key)
})
