import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, inject, test } from 'vitest'
import { type Manifest, staticImports } from '../../site/build/assets.ts'
import { entries } from '../../site/build/vite-config.ts'

const folder = inject('builtSite')
const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))

/** The scripts that a browser loads before these have run, each once, in bytes as they travel. */
const scriptBytes = (...names: string[]): number => {
  const files = new Set(names.flatMap((name) => [manifest[name]?.file ?? name, ...staticImports(manifest, name)]))
  return [...files]
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, 'files', file)), { level: 9 }).length, 0)
}
const kilobyte = 1000

test.each([entries.pages, entries.gate])('%s takes at most 60 KB', (entry) => {
  expect(scriptBytes(entry)).toBeGreaterThan(0)
  expect(scriptBytes(entry)).toBeLessThanOrEqual(60 * kilobyte)
})

const views = Object.keys(manifest).filter((name) => /^app\/pages\/.*-page\.tsx$/.test(name))
const languages = ['words/en.ts', 'words/ja.ts']

test('the views and the words of the app are parts of their own', () => {
  expect(views).toHaveLength(5)
  expect(languages.filter((name) => manifest[name] === undefined)).toEqual([])
})

test.each(views.flatMap((view) => languages.map((words) => [view, words] as const)))(
  'the first load of %s with %s takes at most 180 KB',
  (view, words) => {
    expect(scriptBytes(entries.app, view, words)).toBeLessThanOrEqual(180 * kilobyte)
  },
)

test('a page with a form becomes the app after sign-up within the same budget', () => {
  expect(
    scriptBytes(entries.gate, 'app/start-app.tsx', 'app/pages/welcome/welcome-page.tsx', 'words/en.ts'),
  ).toBeLessThanOrEqual(180 * kilobyte)
})
