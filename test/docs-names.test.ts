import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from '../src/cli/commands.ts'
import { settingVariables } from '../src/config/secret-file.ts'
import { repository } from './harness/run-program.ts'

const read = (path: string): string => readFileSync(join(repository, path), 'utf8')
const pages = globSync(['*.md', '{docs,chaos,conformance}/**/*.md'], { cwd: repository })

/** Whatever the documents have for `pattern`, as far as it is not known, each with its page. */
const unknown = (pattern: RegExp, isKnown: (name: string) => boolean): string[] =>
  pages.flatMap((page) =>
    [...read(page).matchAll(pattern)]
      .map(([, name = '']) => name)
      .filter((name) => !isKnown(name))
      .map((name) => `${page}: ${name}`),
  )

test('every variable that a document names is a setting', () => {
  // A name of the reader's own, and what tests read.
  const others = [
    'HELIX_API_KEY',
    'HELIX_FUZZ_RUNS',
    'HELIX_TEST_POSTGRES',
    'HELIX_TEST_REDIS',
    'HELIX_SCHEMA_RUNS',
    'HELIX_TEST_RETRIES',
    'HELIX_TEST_COSTS',
    'HELIX_TEST_SEED',
    'HELIX_TEST_HELM',
  ]
  const known = [...settingVariables, ...others]
  expect(unknown(/\b(HELIX_[A-Z_]+[A-Z])\b/g, (name) => known.includes(name))).toEqual([])
})

test('every script that a document names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  expect(unknown(/\bnpm run ([\w-]+)/g, (name) => name in scripts)).toEqual([])
})

test('every command that a document names exists', () => {
  const names = ['serve', 'engine', 'gpu install', ...commands.map(({ name }) => name)]
  // `./helix keys rotate first`: some prefix of the words is a command.
  const isCommand = (words: string): boolean => names.some((name) => words === name || words.startsWith(`${name} `))
  expect(unknown(/\.\/helix ([a-z][a-z0-9-]*(?: [a-z][a-z0-9-]*)*)/g, isCommand)).toEqual([])
})
