import { expect, test } from 'vitest'
import { adminSights } from '../../site/app/first-sight/admin-sights.ts'
import { playgroundSight } from '../../site/app/first-sight/playground-sight.ts'
import { sights } from '../../site/app/first-sight/sights.ts'
import { createPageCredentials, createPlatform } from '../../site/platform/platform.ts'
import { views } from '../../site/public-pages/documents/app-views.ts'
import { firstCalls } from '../../src/site-server/first-calls.ts'
import { appPages } from '../../src/site-server/pages.ts'

const pages = appPages.flatMap((page) => {
  const { [page]: sight = adminSights[page] } = sights
  const found = page === '/playground' ? playgroundSight : sight
  return found === undefined ? [] : [{ page, sight: found }]
})

test.each(pages)('the document of $page announces what its first words ask for', async ({ page, sight }) => {
  const asked: string[] = []
  const platform = createPlatform(createPageCredentials(), async (url) => {
    asked.push(url)
    throw new TypeError('nobody answers here')
  })
  await expect(sight(platform, 0)).rejects.toThrow()
  expect(asked.length).toBeGreaterThan(0)
  const announced = firstCalls(page, { url: page, headers: { cookie: 'helix_signed_in=1' } })
  const { usage } = views[page]
  for (const url of asked) expect(announced.includes(url) || url.startsWith(`${usage}&zone=`), url).toBe(true)
})

test('all pages with figures in their sentence say it first', () => {
  const silent = appPages.filter((page) => !pages.some((one) => one.page === page))
  // Their documents have it, except that of the page for a new key, which has none.
  expect(silent).toEqual(['/welcome', '/playground/compare', '/audit', '/admin/audit'])
})
