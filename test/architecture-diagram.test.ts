import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from './harness/run-program.ts'

const read = (path: string): string => readFileSync(join(repository, path), 'utf8')
const [, diagram = ''] = /```mermaid\n(.*?)```/s.exec(read('docs/contributing/architecture.md')) ?? []
const named = [...diagram.matchAll(/\b(?:src|site)\/[\w./-]+/g)].map(([path]) => path)

test('the diagram has every folder of src/, once, and the command line twice', () => {
  const folders = globSync('src/*/', { cwd: repository }).map((path) => path.replace(/\/$/, ''))
  const listed = named.filter((path) => !path.endsWith('.ts')).sort()
  expect(listed).toEqual([...folders, 'src/cli'].sort())
})

test('the diagram has every file that a thread or process starts with', () => {
  const sources = globSync('src/**/*.ts', { cwd: repository }).filter((path) => !path.endsWith('.test.ts'))
  const started = sources.flatMap((path) =>
    [...read(path).matchAll(/new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g)].map(([, file = '']) =>
      join(dirname(path), file),
    ),
  )
  // The launcher loads the first, and the build is not a file of the server.
  const others = ['src/main.ts', 'site/build/main.ts']
  const files = new Set(named.filter((path) => path.endsWith('.ts')))
  expect([...files].sort()).toEqual([...started, ...others].sort())
})
