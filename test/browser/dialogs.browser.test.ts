import { beforeAll, expect } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
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

const themes = ['light', 'dark'] as const

test.for(themes)(
  'axe finds nothing serious on a new key, its answer and the question before leaving, %s',
  async (theme) => {
    const { page } = await openVisitor(helix.url, { theme })
    await openPage(page, '/signup')
    await fillForm(page, `${theme}@example.com`)
    await page.getByRole('button', { name: 'Sign up and get a key' }).click()
    await page.getByRole('button', { name: 'Run it here' }).click()
    await page.locator('.answer').getByText('Hello, world!').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Go to the console' }).click()
    await page.getByRole('dialog', { name: 'The key has not been copied' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
  },
)

test.for(themes)('axe finds nothing serious in dialogs, errors and answers, %s', async (theme) => {
  const { page, context } = await openVisitor(helix.url, { theme })
  const member = await signUp(helix.url, `${theme}-keys@example.com`)
  await takeCookies(context, helix.url, member.cookies)
  await openPage(page, '/keys')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await page.getByText('Enter a name for the key.').waitFor()
  await page.getByText('Limits, permissions and networks').click()
  await page.getByLabel('Permissions').selectOption({ label: 'Selected calls only' })
  expect(await accessibilityViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'First key' }).click()
  await page.getByText('This key works.').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
  await openPage(page, '/playground')
  await page.locator('.composer textarea').fill('Hi')
  await page.locator('.composer textarea').press('Enter')
  await page.locator('.answer').getByText('Hello, world!').waitFor()
  await context.setOffline(true)
  await page.locator('.composer textarea').fill('Hi again')
  await page.locator('.composer textarea').press('Enter')
  await page.getByRole('alert').waitFor()
  expect(await accessibilityViolations(page)).toEqual([])
})
