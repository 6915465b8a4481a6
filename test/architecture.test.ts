import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

/** The architecture. A room may import its own files and those of rooms further down, never its neighbours. */
const columns = [
  ['launch'],
  ['main'],
  ['cli', 'serve', 'work'],
  ['routes'],
  ['control'],
  ['api', 'health', 'platform', 'site-server'],
  ['session'],
  ['http', 'accounts', 'keys', 'limits', 'replay', 'schedule', 'usage'],
  ['engine', 'store'],
  ['config', 'grammar'],
  ['base'],
]

/** What only these rooms may touch. */
const owners: Record<string, readonly string[]> = {
  'node:sqlite': ['store'],
  'node-llama-cpp': ['engine'],
  nodemailer: ['accounts'],
  '@simplewebauthn/server': ['accounts'],
  jose: ['accounts'],
  '@huggingface/jinja': ['engine'],
  'process.env': ['config', 'launch'],
}

const root = join(import.meta.dirname, '..', 'src')
const sources = globSync('**/*.{ts,mjs}', { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
const roomOf = (path: string): string => (path.split('/')[0] ?? '').replace(/\.(ts|mjs)$/, '')
const depthOf = (path: string): number => columns.findIndex((rooms) => rooms.includes(roomOf(path)))
const importsOf = (path: string): string[] => {
  const text = readFileSync(join(root, path), 'utf8')
  const found = text.matchAll(/(?:from |import\(|import |new URL\()'(\.[^']+\.(?:ts|mjs))'/g)
  return [...found].map(([, target = '']) => relative(root, join(root, dirname(path), target)))
}

test('every file of src/ lives in a room of the table', () => {
  expect(sources.filter((path) => depthOf(path) === -1)).toEqual([])
})

test('imports run one way, from the command line down to base', () => {
  const wrong = sources.flatMap((path) =>
    importsOf(path)
      .filter((target) => roomOf(target) !== roomOf(path) && depthOf(target) <= depthOf(path))
      .map((target) => `${path} imports ${target}`),
  )
  expect(wrong).toEqual([])
})

test('drivers and the environment are touched by their own rooms only', () => {
  const wrong = sources.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return Object.entries(owners)
      .filter(
        ([thing, rooms]) =>
          !rooms.includes(roomOf(path)) && [`'${thing}'`, `'${thing}/`, `${thing}.`].some((use) => text.includes(use)),
      )
      .map(([thing]) => `${path} touches ${thing}`)
  })
  expect(wrong).toEqual([])
})
