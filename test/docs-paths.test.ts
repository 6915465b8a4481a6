import { globSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from './harness/run-program.ts'

const notOurs = ['node_modules', 'dist', 'lib', 'data', '.git', 'coverage']
const files = globSync(['**/*', '.ci/*'], {
  cwd: repository,
  exclude: (path) => notOurs.includes(path) || path.includes('node_modules'),
})
const known = new Set(files)
const folders = new Set(files.filter((path) => path.includes('/')).map((path) => path.split('/')[0] ?? ''))
folders.add('.ci')
const pages = files.filter((path) => path.endsWith('.md'))

/** Files that people or the server create, so that no clone has them. */
const created = [
  'restored-settings.json',
  'data/restored-settings.json',
  'restored-models.json',
  'helix.config.json',
  'models/models.json',
  'sbom.cdx.json',
  'helix-VERSION-linux-x64.cdx.json',
]

const source = /\.(tsx?|mjs|css|go|java|json|md|py|sh|svg|toml|webp)$/

/** `a/{b,c}.ts` names two. */
const expand = (word: string): string[] => {
  const [whole, before = '', choices = '', after = ''] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(word) ?? []
  return whole === undefined ? [word] : choices.split(',').flatMap((choice) => expand(`${before}${choice}${after}`))
}

/** What a document says in code, inside a sentence or in a block, and that reads as a file or folder of this repository. */
const namedPaths = (text: string): string[] => {
  const code = [...text.matchAll(/```[^\n]*\n(.*?)```|`([^`\n]+)`/gs)].map(([, block, inline]) => block ?? inline ?? '')
  const words = code.flatMap((part) => part.split(/[\s'"()]+/)).map((word) => word.replace(/^\.\/|[,;:.]+$/g, ''))
  return words
    .filter((word) => /^[\w@.*-][\w@.*{},/-]*$/.test(word) && !/^\.[\w.]+$/.test(word))
    .filter((word) => (word.includes('/') && folders.has(word.split('/')[0] ?? '')) || source.test(word))
    .flatMap(expand)
    .filter((word) => !created.includes(word))
}

/** From the root, from the folder of the document, or, for a name in passing, the end of some file's path. */
const exists = (path: string, page: string): boolean =>
  [path, join(dirname(page), path)].some(
    (place) =>
      known.has(place.replace(/\/$/, '')) || (place.includes('*') && files.some((file) => matchesGlob(file, place))),
  ) ||
  (!folders.has(path.split('/')[0] ?? '') && files.some((file) => file.endsWith(`/${path}`)))

const missing = (page: string, text: string): string[] => namedPaths(text).filter((path) => !exists(path, page))

test('paths are found in inline code and in code blocks', () => {
  const text =
    'In `src/gone.ts` and `gone.ts`, `src/routes.ts`, `GET /v1/keys`:\n```\na src/http/{listen,gone}.ts\n```\n'
  expect(missing('docs/page.md', text)).toEqual(['src/gone.ts', 'gone.ts', 'src/http/gone.ts'])
  expect(
    missing('chaos/README.md', '`ledger/server.ts`, `src/engine/*`, `self-signed.ts`, `src/http/`, `.ci/run`'),
  ).toEqual([])
})

test('every file that a document names exists', () => {
  const dead = pages.flatMap((page) =>
    missing(page, readFileSync(join(repository, page), 'utf8')).map((path) => `${page} → ${path}`),
  )
  expect(dead).toEqual([])
})
