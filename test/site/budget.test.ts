import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
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
  const sizes = await Promise.all(
    files.map(async (file) => (await readFile(join(folder, 'files', `${file}.gz`))).length),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}

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
  'playground',
  'compare',
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

test.each(pages)('the console loads at most 180 KB of script to show /%s', async (page) => {
  for (const language of languageCodes) {
    const files = consoleScripts(manifest, page, language)
    expect(files.length).toBeGreaterThan(3)
    expect(await gzipKilobytes(files)).toBeLessThan(180)
  }
})
