import { beforeAll, expect } from 'vitest'
import { claimServer, signUp } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, takeCookies } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer, startSite } from '../harness/start-site.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openSiteServer()
  await claimServer(helix)
  return helix.close
})

test.each([
  ['en', 1440, 'Console', 'Sign up'],
  ['ja', 375, 'コンソール', '新規登録'],
] as const)('a public page leads whoever is signed in to the console (%s, %i px)', async (language, width, to, up) => {
  const email = `${language}@example.com`
  const member = await signUp(helix.url, email)
  const { page, context } = await openVisitor(helix.url, { language, width })
  const header = page.getByRole('banner')
  await openPage(page, '/docs')
  await header.getByRole('link', { name: up }).waitFor()
  expect(await header.getByRole('link', { name: to }).isVisible()).toBe(false)

  await takeCookies(context, helix.url, member.cookies)
  await openPage(page, '/docs')
  expect(await header.getByRole('link', { name: up }).isVisible()).toBe(false)
  await header.getByRole('link', { name: to }).click()
  await page.waitForURL('**/keys')
  await page.getByRole('heading', { level: 1 }).waitFor()
})

test.each([
  ['en', 320, 'Sign in', 'Sign up'],
  ['en', 375, 'Sign in', 'Sign up'],
  ['ja', 320, 'サインイン', '新規登録'],
  ['ja', 375, 'サインイン', '新規登録'],
] as const)('a phone shows how to sign in, on one line with the rest (%s, %i px)', async (language, width, to, up) => {
  const { page } = await openVisitor(helix.url, { language, width })
  await openPage(page, '/')
  const header = page.getByRole('banner')
  await header.getByRole('link', { name: 'Helix' }).waitFor()
  await header.getByRole('link', { name: to }).waitFor()
  await header.getByRole('link', { name: up }).waitFor()
  const boxes = await page.evaluate<{ left: number; right: number; middle: number; lines: number }[]>(
    `[...document.querySelectorAll('.top-bar a')].filter((link) => link.checkVisibility()).map((link) => {
      const { left, right, top, bottom } = link.getBoundingClientRect()
      const range = document.createRange()
      range.selectNodeContents(link.classList.contains('brand') ? link.querySelector('svg') : link)
      const lines = new Set([...range.getClientRects()].map((rect) => Math.round(rect.top))).size
      return { left, right, middle: (top + bottom) / 2, lines }
    })`,
  )
  expect(boxes).toHaveLength(4)
  const [brand, ...links] = boxes
  let end = 0
  for (const { left, right, middle } of boxes) {
    expect(left).toBeGreaterThanOrEqual(end)
    expect(Math.abs(middle - (brand?.middle ?? 0))).toBeLessThan(2)
    end = right
  }
  expect(end).toBeLessThanOrEqual(width - 16)
  for (const { lines } of links) expect(lines).toBe(1)
  await header.getByRole('link', { name: to }).click()
  await page.waitForURL('**/signin')
})

test('after signing out, or once the session ended elsewhere, it offers to sign in again', async () => {
  const member = await signUp(helix.url, 'gone@example.com')
  const { page, context } = await openVisitor(helix.url)
  await takeCookies(context, helix.url, member.cookies)
  await openPage(page, '/docs/errors')
  const header = page.getByRole('banner')
  await header.getByRole('link', { name: 'Console' }).waitFor()
  await member.post('/sign-out')
  // The page cannot know yet; the console does, and from then on so do the others.
  await header.getByRole('link', { name: 'Console' }).click()
  await page.waitForURL('**/signin**')
  await openPage(page, '/docs/errors')
  await header.getByRole('link', { name: 'Sign in' }).waitFor()
})

test('an address under .jp keeps its dot', async () => {
  const { page } = await openVisitor(helix.url)
  await openPage(page, '/docs')
  const widths = await page.evaluate<number[]>(`(() => {
    const span = document.createElement('span')
    span.style.whiteSpace = 'pre'
    document.querySelector('main p').append(span)
    return ['e.jp', 'e', '.', 'jp'].map((text) => {
      span.textContent = text
      return span.getBoundingClientRect().width
    })
  })()`)
  const [whole = 0, ...parts] = widths
  expect(whole).toBeCloseTo(
    parts.reduce((sum, width) => sum + width, 0),
    1,
  )
})

test('the footer links to the source code where the operator named its address', async () => {
  const sourceUrl = 'https://git.example/fork'
  const named = await startSite({ config: { sourceUrl } })
  for (const [{ url }, shown] of [
    [named, true],
    [helix, false],
  ] as const) {
    const { page } = await openVisitor(url, { language: 'en', width: 1440 })
    await openPage(page, '/')
    const footer = page.getByRole('contentinfo')
    await footer.getByRole('link', { name: 'Licence' }).waitFor()
    expect(await footer.getByRole('link', { name: 'Source code' }).isVisible()).toBe(shown)
    if (shown) expect(await footer.getByRole('link', { name: 'Source code' }).getAttribute('href')).toBe(sourceUrl)
  }
})
