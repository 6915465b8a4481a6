import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const wordsOf = (language: 'en' | 'ja'): string =>
  globSync(`languages/${language}/**/*.ts`, { cwd: root }).map(read).join('\n').toLowerCase()

const rows = [...read('docs/glossary.md').matchAll(/^\| (.+) \| (.+) \| (.+) \| (.+) \|$/gm)]
  .map(([, term = '', code = '', english = '', japanese = '']) => ({ term, code, english, japanese }))
  .filter(({ term }) => term !== 'term')

test('every name in code is in the file that the glossary gives for it', () => {
  const names = rows.flatMap(({ code }) => [...code.matchAll(/`(\w+)`, `([^`]+)`/g)])
  expect(names.length).toBeGreaterThanOrEqual(rows.length)
  expect(names.filter(([, name = '', path = '']) => !new RegExp(`\\b${name}\\b`).test(read(path)))).toEqual([])
})

test('the pages use the terms of the glossary', () => {
  const [english, japanese] = [wordsOf('en'), wordsOf('ja')]
  const isMissing = (term: string, words: string): boolean => term !== '—' && !words.includes(term.toLowerCase())
  expect(rows.filter((row) => isMissing(row.english, english)).map((row) => row.english)).toEqual([])
  expect(rows.filter((row) => isMissing(row.japanese, japanese)).map((row) => row.japanese)).toEqual([])
})

test('a concept has one row', () => {
  const terms = rows.map(({ term }) => term)
  expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([])
})
