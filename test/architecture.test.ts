import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * The architecture. A folder may import its own files and those of folders in later rows, never those of its own row.
 * `docs/lifecycle.md` follows a request through them.
 */
const serverRows = [
  ['src/launch'],
  ['src/main'],
  ['src/cli', 'src/serve', 'src/engine-process'],
  ['src/routes'],
  ['src/control'],
  ['src/api', 'src/health', 'src/metrics', 'src/platform', 'src/site-server'],
  ['src/session'],
  ['src/operations'],
  ['src/webhooks'],
  ['src/models'],
  ['src/settings', 'src/upstreams'],
  ['src/accounts', 'src/keys', 'src/limits', 'src/nodes', 'src/replay', 'src/schedule', 'src/usage'],
  ['src/engine', 'src/redis', 'src/store'],
  ['src/config', 'src/gguf', 'src/grammar'],
  ['src/http', 'src/languages', 'src/prices'],
  ['src/traces'],
  ['src/base'],
]
const endpointTables = ['src/api/bodies', 'src/api/openapi']
/** These endpoints may use parts of the others. */
const dependentEndpoints = ['src/api/key', 'src/api/models', 'src/api/stored-completions', 'src/api/tokenize']
/** Every other folder with operations. */
const endpoints = globSync('src/api/*/operations.ts', { cwd: join(import.meta.dirname, '..') })
  .map(dirname)
  .filter((folder) => ![...endpointTables, ...dependentEndpoints].includes(folder))
/** The same within the public API. Every endpoint translates into `generation` and out of it, which knows none of them. */
const apiRows = [
  endpointTables,
  dependentEndpoints,
  endpoints,
  ['src/api/inputs', 'src/api/openai'],
  ['src/api/generation'],
  ['src/api/operation'],
]
const siteRows = [
  ['site/build'],
  ['site/public-pages'],
  ['site/app'],
  ['site/words'],
  ['site/platform', 'site/preferences'],
]

/** What the site may import from outside `site/`: contracts, tables and names, nothing that does the server's work. */
const importedBySite = [
  'CHANGELOG.md',
  'LICENSE',
  'docs/{,operate/}*.md',
  'conformance/checks.ts',
  'conformance/compatibility/*-{fields,support}.ts',
  'models/helix-v1/model.json',
  'src/accounts/teams/roles.ts',
  'src/api/openapi/*.ts',
  'src/base/{base62,error-catalogue,is-record,media-type,parse-json-text}.ts',
  'src/config/*.ts',
  'src/http/schema/schema.ts',
  'src/languages/*.ts',
  'src/models/propose-model-name.ts',
  'src/operations/{call,client,operation,shape}.ts',
  'src/platform/contract/*.ts',
  'src/prices/*.ts',
  'src/site-server/{built-site,pages}.ts',
  'src/store/*-contract.ts',
  'src/usage/timed-tokens.ts',
  'src/upstreams/litellm/omission-reasons.ts',
  'src/webhooks/{event-types,next-attempt}.ts',
  'src/store/{audit-actions,hook-actions,decide-member-change,limit-names}.ts',
]

/** Every package, with the folders that may import it. */
const packages: Record<string, readonly string[]> = {
  '@fontsource-variable/instrument-sans': ['site/styles'],
  '@fontsource/ibm-plex-mono': ['site/styles'],
  '@huggingface/jinja': ['src/engine'],
  '@huggingface/tokenizers': ['src/engine'],
  '@redis/client': ['src/redis'],
  '@simplewebauthn/server': ['src/accounts'],
  '@tanstack/react-query': ['site/app'],
  '@tanstack/react-router': ['site/app'],
  '@vitejs/plugin-react': ['site/build'],
  'eventsource-parser': ['site/app', 'src/cli'],
  'highlight.js': ['site/app'],
  jose: ['src/accounts'],
  koffi: ['src/engine'],
  katex: ['site/app'],
  lowlight: ['site/app'],
  'lucide-react': ['site/app', 'site/public-pages'],
  marked: ['site/app', 'site/public-pages'],
  'node:sqlite': ['src/store'],
  nodemailer: ['src/accounts'],
  pg: ['src/store'],
  react: ['site/app', 'site/public-pages'],
  'react-dom': ['site/app', 'site/public-pages'],
  undici: ['src/engine'],
  uqr: ['site/app'],
  vite: ['site/build'],
  yaml: ['src/upstreams'],
}

const readsEnvironment = ['src/config', 'src/launch']

const root = join(import.meta.dirname, '..')
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
const sources = globSync('{languages,src,site}/**/*.{ts,tsx,mjs}', { cwd: root }).filter(
  (path) => !path.includes('.test.'),
)
const styles = globSync('site/**/*.css', { cwd: root })

/** `src/http/route.ts` is in `src/http`, `src/routes.ts` in `src/routes`. */
const folderOf = (path: string): string => {
  const [top, folder = ''] = path.split('/')
  return `${top}/${folder.replace(/\.\w+$/, '')}`
}

const specifiersOf = (path: string): string[] =>
  [
    /^(?:import|export)\s[^'"`;]*?\bfrom '([^']+)'/gm,
    /^import '([^']+)'/gm,
    /\bimport\('([^']+)'\)/g,
    /\bnew URL\('([^']+)', import\.meta\.url\)/g,
  ].flatMap((pattern) => [...textOf(path).matchAll(pattern)].map(([, specifier = '']) => specifier))

const imports = new Map(
  sources.map((path) => {
    const inside = specifiersOf(path).filter((specifier) => /^\..*\.\w+$/.test(specifier))
    return [path, inside.map((specifier) => join(dirname(path), specifier))]
  }),
)

const wrongImports = (isWrong: (from: string, to: string) => boolean): string[] =>
  [...imports].flatMap(([from, targets]) =>
    targets.filter((to) => isWrong(from, to)).map((to) => `${from} imports ${to}`),
  )

const runsBackwards =
  (rows: readonly (readonly string[])[], placeOf = folderOf) =>
  (from: string, to: string): boolean => {
    const rowOf = (path: string): number => rows.findIndex((row) => row.includes(placeOf(path)))
    return placeOf(from) !== placeOf(to) && rowOf(from) !== -1 && rowOf(to) !== -1 && rowOf(to) <= rowOf(from)
  }

/** `src/api/keys/routes.ts` is in `src/api/keys`. */
const apiFolderOf = (path: string): string =>
  path
    .split('/')
    .slice(0, 3)
    .join('/')
    .replace(/\.\w+$/, '')

test('every source file is in a folder of the table', () => {
  const known = [...serverRows, ...siteRows].flat()
  const isLanguage = (path: string): boolean => path.startsWith('languages/')
  expect(sources.filter((path) => !isLanguage(path) && !known.includes(folderOf(path)))).toEqual([])
})

test('imports run one way, from the command line down to base', () => {
  expect(wrongImports(runsBackwards(serverRows))).toEqual([])
})

test('every folder of the public API is in its table', () => {
  const known = apiRows.flat()
  const folders = sources.filter((path) => path.startsWith('src/api/')).map(apiFolderOf)
  expect([...new Set(folders)].filter((folder) => !known.includes(folder))).toEqual([])
})

test('endpoints do not import each other, and what they share imports none of them', () => {
  expect(wrongImports(runsBackwards(apiRows, apiFolderOf))).toEqual([])
})

test('imports in the site run one way, from its build down to its words and calls', () => {
  expect(wrongImports(runsBackwards(siteRows))).toEqual([])
})

test('the server imports nothing from the site, and the site only contracts and tables from the server', () => {
  const allowed = new Set(globSync(importedBySite, { cwd: root }))
  const isWrong = (from: string, to: string): boolean =>
    from.startsWith('src/') ? to.startsWith('site/') : !/^(languages|site)\//.test(to) && !allowed.has(to)
  expect(wrongImports(isWrong)).toEqual([])
})

test('a language imports its own folder, the shapes of the words, and no other language', () => {
  const shared = /^languages\/(language|words)\.ts$/
  const isWrong = (from: string, to: string): boolean =>
    from.startsWith('languages/') && !shared.test(from) && to.startsWith('languages/')
      ? folderOf(from) !== folderOf(to) && !shared.test(to)
      : from.startsWith('languages/') && to.startsWith('site/')
  expect(wrongImports(isWrong)).toEqual([])
})

/** Only the build and the tests may find languages in the way of the server, which reads folders. */
test('the scripts of the site find languages with Vite', () => {
  const isWrong = (from: string, to: string): boolean =>
    from.startsWith('site/') && !from.startsWith('site/build/') && to.startsWith('src/languages/')
  expect(wrongImports(isWrong)).toEqual([])
})

test('no file imports itself by way of others', () => {
  const finished = new Set<string>()
  const circles: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
    if (trail.includes(path) || finished.has(path)) return
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path])
    finished.add(path)
  }
  for (const path of sources) visit(path, [])
  expect(circles).toEqual([])
})

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

const packageImports = [
  ...sources.flatMap((path) =>
    specifiersOf(path)
      .filter((specifier) => !specifier.startsWith('.') && (!specifier.startsWith('node:') || specifier in packages))
      .map((specifier) => ({ path, name: packageOf(specifier) })),
  ),
  ...styles.flatMap((path) =>
    [...textOf(path).matchAll(/node_modules\/([^"')]+)/g)].map(([, file = '']) => ({ path, name: packageOf(file) })),
  ),
]

test('packages are imported by the folders of the table only', () => {
  const wrong = packageImports.filter(({ path, name }) => !packages[name]?.includes(folderOf(path)))
  expect(wrong.map(({ path, name }) => `${path} imports ${name}`)).toEqual([])
})

/** What a start loads takes most of its time. */
test('a server starts without the packages that only some servers need', () => {
  const onlyIfNeeded = ['@redis/client', '@simplewebauthn/server', 'jose', 'nodemailer', 'pg', 'yaml']
  const loaded = new Set<string>()
  const load = (path: string): void => {
    if (loaded.has(path)) return
    loaded.add(path)
    const pattern = /^(?:import|export)\s(?!type\b)[^'"`;]*?\bfrom '([^']+)'/gm
    if (!path.endsWith('.ts')) return
    for (const [, name = ''] of textOf(path).matchAll(pattern))
      load(name.startsWith('.') ? join(dirname(path), name) : name)
  }
  load('src/serve.ts')
  expect(loaded).toContain('undici')
  expect(onlyIfNeeded.filter((name) => loaded.has(name))).toEqual([])
})

test('every dependency is in the table, and every row of the table is true', () => {
  const { dependencies } = JSON.parse(textOf('package.json')) as { dependencies: Record<string, string> }
  expect(Object.keys(dependencies).filter((name) => !(name in packages))).toEqual([])
  const used = new Set(packageImports.map(({ path, name }) => `${folderOf(path)} ${name}`))
  const rows = Object.entries(packages).flatMap(([name, folders]) => folders.map((folder) => `${folder} ${name}`))
  expect(rows.filter((row) => !used.has(row))).toEqual([])
})

/** Stores, copies of a store and backups. Other tests read with `openStoreReader`, whichever database it is. */
const readsSqlite = /^(src\/store\/|test\/(harness|contracts\/store|migrate-store)\/|test\/process\/backup)/

test('only tests of stores and backups know how the embedded store keeps its data', () => {
  const tests = globSync(['test/**/*.ts', 'src/**/*.test.ts'], { cwd: root })
  const reading = tests.filter((path) => specifiersOf(path).includes('node:sqlite'))
  expect(reading.filter((path) => !readsSqlite.test(path))).toEqual([])
})

test('the environment of the server is read by its configuration and its launcher only', () => {
  const reading = sources.filter((path) => path.startsWith('src/') && textOf(path).includes('process.env'))
  expect(reading.filter((path) => !readsEnvironment.includes(folderOf(path)))).toEqual([])
})

test('names are those of the glossary, not the ones that it replaced', () => {
  const replaced = /\b\w*(?:Rooms|Telling|Workshop|Doer|Asker)\b/
  expect(sources.filter((path) => replaced.test(textOf(path)))).toEqual([])
})
