import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { words as all } from '../../languages/en/console.ts'
import { words as first } from '../../languages/en/first.ts'

const site = join(import.meta.dirname, '../../site/app')

/** What the first document of the playground may show. */
const starts = [
  'start-app.tsx',
  'shell/shell.tsx',
  'pages/playground/playground-page.tsx',
  'pages/compare/compare-page.tsx',
]

/** Shown inside `WithAllWords`, or reached through a route that loads all words. */
const withAllWords =
  /^(router\.tsx|pages\/limits\/limit-error-text\.ts|shell\/(command-palette|sign-in-again|organisation-list|create-organisation-form|suspended)\.tsx)$/

const reached = (): string[] => {
  const seen = new Set<string>()
  const waiting = starts.map((file) => join(site, file))
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file) || withAllWords.test(relative(site, file)) || !existsSync(file)) continue
    seen.add(file)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.[^']+\.tsx?)'/g))
      waiting.push(join(dirname(file), path))
  }
  return [...seen].filter((file) => file.startsWith(site))
}

test('the frame and the playground show the first words only, so that they do not wait for others', () => {
  const missing = Object.keys(all).filter((part) => !Object.hasOwn(first, part))
  expect(missing).toContain('usage')
  const used = new RegExp(
    `words\\.(${missing.join('|')})\\b|useWords\\(\\)\\.(${missing.join('|')})\\b|\\{[^}]*\\b(${missing.join('|')})\\b[^}]*\\} = (useWords\\(\\)|useLocale\\(\\)\\.words|words\\b)`,
  )
  const files = reached()
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => used.test(readFileSync(file, 'utf8'))).map((file) => relative(site, file))).toEqual([])
})
