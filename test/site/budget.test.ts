import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { languageCodes } from '../../src/languages/languages.ts'
import { keyOperations } from '../../src/platform/contract/keys.ts'
import {
  builtSiteFolder,
  consoleScripts,
  firstLoad,
  type Manifest,
  publicScripts,
  readManifest,
} from '../harness/built-site.ts'

let folder: string
let manifest: Manifest
beforeAll(async () => {
  folder = await builtSiteFolder()
  manifest = await readManifest(folder)
})

const gzipKilobytes = async (files: string[]): Promise<number> => {
  const packed = await Promise.all(files.map((file) => readFile(join(folder, 'files', `${file}.gz`))))
  return packed.reduce((sum, { length }) => sum + length, 0) / 1000
}

/** As a release compresses them, which the build of a clone does not. */
const releasedBytes = async (files: string[]): Promise<number> => {
  const packed = await Promise.all(files.map(async (file) => packBr(await readFile(join(folder, 'files', file)))))
  return packed.reduce((sum, { length }) => sum + length, 0)
}
const packBr = promisify(brotliCompress)

test.each(['pages', 'auth'])('a public page (%s) loads at most 60 KB of script', async (name) => {
  for (const language of languageCodes) {
    const files = publicScripts(manifest, name, language)
    expect(files.length).toBeGreaterThan(0)
    expect(await gzipKilobytes(files)).toBeLessThan(60)
  }
})

test('public pages come without React', async () => {
  for (const name of ['pages', 'auth'])
    for (const file of firstLoad(manifest, `public-pages/behaviour/${name}.ts`))
      expect(await readFile(join(folder, 'files', file), 'utf8')).not.toContain('react.')
})

test('scripts know the paths of the operations of /platform, and nothing else of their rows', async () => {
  const files = [...new Set(Object.values(manifest).map(({ file }) => file))].filter((file) => file.endsWith('.js'))
  const scripts = await Promise.all(files.map((file) => readFile(join(folder, 'files', file), 'utf8')))
  const { path, summary } = keyOperations.rotateKey
  expect(scripts.filter((script) => script.includes(path))).toHaveLength(1)
  expect(scripts.filter((script) => script.includes(summary))).toEqual([])
})

const pages = [
  'welcome',
  'home',
  'keys',
  'key',
  'usage',
  'requests',
  'request',
  'limits',
  'catalogue',
  'playground',
  'compare',
  'shared',
  'settings',
  'overview',
  'accounts',
  'models',
  'upstreams',
  'nodes',
  'webhooks',
  'server',
  'team',
  'audit',
  'organisations',
]

test.each(pages)('the console loads at most 185 KB of script to show /%s', async (page) => {
  for (const language of languageCodes) {
    const files = consoleScripts(manifest, page, language)
    expect(files.length).toBeGreaterThan(3)
    expect(await gzipKilobytes(files)).toBeLessThan(185)
  }
})

test('the playground starts with at most 150 KiB of script, as browsers receive it, in at most 18 files', async () => {
  for (const language of languageCodes) {
    const files = consoleScripts(manifest, 'playground', language)
    expect(files.length).toBeLessThanOrEqual(18)
    expect((await releasedBytes(files)) / 1024).toBeLessThan(150)
  }
})

test('no script imports itself through others: it would run before what it imports', () => {
  const open = new Set<string>()
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (name: string): void => {
    if (done.has(name)) return
    if (open.has(name)) {
      circles.push([...open, name].join(' > '))
      return
    }
    open.add(name)
    for (const next of manifest[name]?.imports ?? []) visit(next)
    open.delete(name)
    done.add(name)
  }
  for (const name of Object.keys(manifest)) visit(name)
  expect(circles).toEqual([])
})

test('what starts the console is a file of its own: the sign-up page loads the rest without starting it', () => {
  const { file } = manifest['app/main.tsx'] ?? {}
  expect(file).toMatch(/\.js$/)
  const importers = Object.values(manifest).filter(({ imports = [], dynamicImports = [] }) =>
    [...imports, ...dynamicImports].some((name) => manifest[name]?.file === file),
  )
  expect(importers).toEqual([])
})

test('what says the first words of a page does not wait for the app', () => {
  const { file: app = '' } = manifest['app/start-app.tsx'] ?? {}
  expect(app).not.toBe('')
  for (const entry of ['app/main.tsx', 'app/first-sight/sights.ts', 'app/first-sight/admin-sights.ts']) {
    const files = firstLoad(manifest, entry)
    expect(files.length, entry).toBeGreaterThan(1)
    expect(files, entry).not.toContain(app)
  }
})

test('documents name their styles, not a script that would load them', () => {
  for (const name of ['site', 'app', 'public']) expect(manifest[`styles/${name}.css`]?.file).toMatch(/\.css$/)
})
