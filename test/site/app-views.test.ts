import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { views } from '../../site/public-pages/documents/app-views.ts'
import { appViews } from '../../src/site-server/pages.ts'

const router = readFileSync(join(import.meta.dirname, '../../site/app/router.tsx'), 'utf8')

/** What the route of each view imports, and whether its parent loads the words for administrators. */
const routes = [...router.matchAll(/createRoute\(\{(?:(?!createRoute).)*?import\('\.\/pages\/([^']+)\.tsx'\)/gs)].map(
  ([text, page = '']) => ({
    page,
    path: /path: '([^']+)'/.exec(text)?.[1]?.replaceAll(/\$(\w+)/g, '{$1}'),
    isAdmin: text.includes('=> administration'),
  }),
)

test('the document of every view names the module that its route imports, and the words that it loads', () => {
  expect(routes.map(({ path }) => path).sort()).toEqual([...appViews].sort())
  for (const view of appViews) {
    const route = routes.find(({ path }) => path === view)
    expect(views[view].page, view).toBe(route?.page)
    expect(
      views[view].words.some((file) => file === 'admin'),
      view,
    ).toBe(route?.isAdmin)
    // Its pages do with the first words.
    expect(
      views[view].words.some((file) => file === 'console'),
      view,
    ).toBe(!view.startsWith('/playground'))
  }
})
