import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { generatedDocs } from '../scripts/generated-docs.ts'
import { errorCatalogue } from '../src/base/error-catalogue.ts'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test.each(Object.entries(generatedDocs()))('%s says what the code says (npm run docs writes it anew)', (path, text) => {
  expect(read(path)).toBe(text)
})

test('docs/lifecycle.md lists exactly the errors with which a request can end', () => {
  const rows = read('docs/lifecycle.md')
    .split('\n')
    .filter((line) => line.startsWith('| '))
  const named = rows.flatMap((row) => [...(row.split('|')[2] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
  expect(named.filter((name) => !(name in errorCatalogue))).toEqual([])
  const notValidation = Object.entries(errorCatalogue).filter(([, { status }]) => status !== 400)
  expect(notValidation.map(([name]) => name).filter((name) => !named.includes(name))).toEqual([])
})

test('docs/operating.md lists exactly the events of the log', () => {
  const sources = globSync('src/**/*.ts').filter((path) => !path.endsWith('.test.ts'))
  const logged = sources.flatMap((path) =>
    [...read(path).matchAll(/\blog\.(?:info|warn|error)\(\s*'(\w+)'/g)].map(([, event = '']) => event),
  )
  const [, section = ''] = read('docs/operating.md').split('### Log events')
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'))
  const listed = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, event = '']) => event),
  )
  expect(listed.toSorted()).toEqual([...new Set(logged)].sort())
})

test('every relative link in the documents leads to a file', () => {
  const pages = globSync(['*.md', '{docs,chaos,conformance,models}/**/*.md'])
  const dead = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
      .map(([, target = '']) => join(dirname(page), target))
      .filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)))
      .map((path) => `${page} → ${path}`),
  )
  expect(dead).toEqual([])
})

test('the quick start of README.md begins with a clone, and says what a shallow one leaves out of the tests', () => {
  const readme = read('README.md')
  const [, start = ''] = /## Quick start.*?```sh\n(.*?)```/s.exec(readme) ?? []
  expect(start).toBe('git clone --depth 1 <repository> helix && cd helix\nnpm ci && npm start\n')
  const [, tests = ''] = /## Run the tests\n(.*?)\n## /s.exec(readme) ?? []
  expect(tests).toMatch(/shallow clone, the tests of rolling upgrades and rollbacks are skipped/)
})
