import { beforeAll, expect } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { accessibilityViolations } from './accessibility-violations.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openSiteServer()
  await claimServer(helix)
  return helix.close
})

test.each([
  {
    ...({
      language: 'en',
      first: 'Select old',
      all: 'Select all keys on this page',
      chosen: '3 keys selected',
    } as const),
    ...{
      revoke: 'Revoke selected',
      confirm: 'Type 3 to confirm',
      submit: 'Revoke 3 keys',
      done: '3 keys were revoked',
    },
  },
  {
    ...({
      language: 'ja',
      first: '「old」を選択',
      all: 'このページのキーをすべて選択',
      chosen: '3件を選択中',
    } as const),
    ...{
      revoke: '選択したキーを失効',
      confirm: '確認のため「3」と入力',
      submit: '3件を失効',
      done: '3件のキーを失効させました',
    },
  },
])(
  'on a phone, keys are chosen one by one or all at once, and revoked together: $language',
  async ({ language, first, all, chosen, revoke, confirm, submit, done }) => {
    const member = await signUp(helix.url, `${language}@example.com`)
    for (const name of ['old', 'older']) await member.post('/keys', { name })
    const { page, context } = await openVisitor(helix.url, { language, width: 375 })
    await takeCookies(context, helix.url, member.cookies)
    await openPage(page, '/keys')
    const box = page.getByLabel(first, { exact: true })
    await box.check()
    expect((await box.boundingBox())?.width).toBeGreaterThanOrEqual(24)
    // Beside the box a finger opens nothing.
    await page
      .locator('td.choice')
      .first()
      .click({ position: { x: 2, y: 2 } })
    expect(new URL(page.url()).pathname).toBe('/keys')
    await page.getByRole('button', { name: all }).click()
    await page.getByText(chosen).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.getByRole('button', { name: revoke }).click()
    await page.getByLabel(confirm).fill('3')
    await page.getByRole('button', { name: submit }).click()
    await page.getByRole('status').getByText(done).waitFor()
    const keys = (await (await member.get('/keys')).json()) as { data: { revokedAt: number | null }[] }
    expect(keys.data.every(({ revokedAt }) => revokedAt !== null)).toBe(true)
  },
)
