import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { moduleState } from '../harness/module-state.ts'

const root = join(import.meta.dirname, '../..')

test('no module of the site has state: the app creates it and hands it on', () => {
  const paths = globSync('site/**/*.{ts,tsx}', { cwd: root }).filter((path) => !path.includes('.test.'))
  expect(paths.flatMap((path) => moduleState(path, readFileSync(join(root, path), 'utf8')))).toEqual([])
})

test.each([
  'let last = 0',
  'export let last = 0',
  'var last',
  'const listeners = new Set<() => void>()',
  'export const client = new QueryClient()',
  'const held = { list: new Map() }',
  "const cache: Record<string, string> = {}\nexport const keep = (name: string) => { cache[name] = 'x' }",
  'const list: number[] = []\nexport const add = () => list.push(1)',
  'const count = { value: 0 }\nexport const next = () => (count.value += 1)',
  'const count = { value: 0 }\nexport const next = () => count.value++',
  'const cache = {}\nexport const forget = () => delete cache.one',
  "import { state } from './state.ts'\nexport const start = () => { state.started = true }",
  'class Page { static opened = 0 }',
])('state is found: %s', (text) => {
  expect(moduleState('site/example.ts', text)).toHaveLength(1)
})

test.each([
  'const max = 4',
  "const names: ReadonlySet<string> = new Set(['a'])",
  "const format = new Intl.NumberFormat('en')",
  'export const createStore = () => { let state = 0; const listeners = new Set(); return { next: () => ++state, listeners } }',
  'class Sync { #timer = 0; readonly #listeners = new Set() }',
])('what is no state is not: %s', (text) => {
  expect(moduleState('site/example.ts', text)).toEqual([])
})
