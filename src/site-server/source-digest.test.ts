import { execFileSync } from 'node:child_process'
import { appendFile, cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { viteConfig } from '../../site/build/vite-config.ts'
import { tempDir } from '../../test/harness/temp-dir.ts'
import { readSources } from './read-sources.ts'
import { digestSources } from './source-digest.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A copy of everything that the digest covers. */
const copySources = async (): Promise<string> => {
  const copy = await tempDir()
  for (const path of (await readSources(root)).keys()) {
    await mkdir(dirname(join(copy, path)), { recursive: true })
    await cp(join(root, path), join(copy, path))
  }
  return copy
}

test('a change of anything that pages import by value, however far away, is another digest', async () => {
  const copy = await copySources()
  const seen = new Set([await digestSources(copy)])
  const changed = [
    'src/config/settings.ts',
    'src/config/setting.ts',
    'src/store/limit-names.ts',
    'src/store/body-contract.ts',
    'src/base/error-catalogue.ts',
    'models/helix-v1/model.json',
    'site/styles/base.css',
    'package-lock.json',
  ]
  for (const path of changed) {
    await appendFile(join(copy, path), '\n')
    seen.add(await digestSources(copy))
  }
  expect(seen.size).toBe(changed.length + 1)
})

test('what no page imports is not part of it: tests, type imports, the rest of the server', async () => {
  const copy = await copySources()
  const before = await digestSources(copy)
  await writeFile(join(copy, 'site/app/new.test.ts'), '')
  await writeFile(join(copy, 'src/serve.ts'), '')
  expect(await digestSources(copy)).toBe(before)
  expect([...(await readSources(root)).keys()]).not.toContain('src/serve.ts')
})

test('it covers every module that the bundler puts into the pages', async () => {
  const ids: string[] = []
  const collect = { name: 'collect', moduleParsed: ({ id }: { id: string }) => void ids.push(id) }
  const config = viteConfig(await tempDir())
  await build({
    ...config,
    logLevel: 'silent',
    plugins: [...(config.plugins ?? []), collect],
    build: { ...config.build, write: false, minify: false },
  })
  const modules = ids.map((id) => relative(root, id.replace(/\?.*/, '')))
  const own = modules.filter((path) => !/^\0|^\.\.|(^|\/)node_modules\/|rolldown|^vite\//.test(path))
  expect(own.length).toBeGreaterThan(200)
  const sources = await readSources(root)
  expect(own.filter((path) => !sources.has(path))).toEqual([])
})

/** Prints the address of every module that is loaded with the one named. */
const loadHook = `
import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) { console.log(url); return next(url, context) } })
await import(process.argv[1])`

test('and every module that runs when the documents are written', async () => {
  const words = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', loadHook]
  const output = execFileSync(process.execPath, [...words, join(root, 'site/public-pages/render-document.ts')])
  const own = output
    .toString()
    .split('\n')
    .filter((url) => url.startsWith('file:') && !url.includes('/node_modules/'))
    .map((url) => relative(root, fileURLToPath(url)))
  expect(own.length).toBeGreaterThan(50)
  const sources = await readSources(root)
  expect(own.filter((path) => !sources.has(path))).toEqual([])
})
