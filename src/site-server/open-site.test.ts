import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLogCatcher } from '../../test/harness/log-catcher.ts'
import { tempDir } from '../../test/harness/temp-dir.ts'
import { systemClock } from '../base/clock.ts'
import { openSite } from './open-site.ts'

/** A small installation: what the server looks at, and a build that writes its own number into every page. */
const openRoot = async (options: { canBuild: boolean; build?: string }) => {
  const root = await tempDir()
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  for (const room of ['src/site-server', 'src/http', 'src/base', 'src/languages', 'languages'])
    await cp(join(import.meta.dirname, '../..', room), join(root, room), { recursive: true })
  await write('package.json', '{"type":"module","version":"0"}')
  await write('site/build/main.ts', options.build ?? goodBuild)
  await write('site/words.txt', 'one')
  if (options.canBuild) await write('node_modules/vite/package.json', '{}')
  const { log, logged } = createLogCatcher({ clock: systemClock, format: 'json' })
  const open = async () => {
    const site = openSite({ log, clock: systemClock, root })
    await site.settled
    return site
  }
  return { root, log, write, open, logged, builds: () => readdir(join(root, 'dist/site')) }
}

const goodBuild = `
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { documentFile } from '../../src/site-server/built-site.ts'
import { languageCodes } from '../../src/languages/languages.ts'
import { documents } from '../../src/site-server/pages.ts'
const folder = process.argv[2]
const words = await readFile('site/words.txt', 'utf8')
for (const name of documents) for (const language of languageCodes) {
  const target = join(folder, documentFile(name, language))
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, words)
}
await writeFile(join(folder, 'index.json'), '{"files":[]}')
`

const values = { origin: 'http://x', model: 'm' }

/** Says that its pages are there, and goes on once somebody writes to the gate. */
const slowBuild = `
import { readFileSync } from 'node:fs'
${goodBuild.replace('of documents)', "of documents.filter((each) => !each.startsWith('/docs')))")}
process.send({ files: 7, hasPages: true })
readFileSync('gate')
${goodBuild.slice(goodBuild.indexOf('for (const name'))}
process.disconnect()
`

const textOf = (site: Awaited<ReturnType<Awaited<ReturnType<typeof openRoot>>['open']>>): string | null =>
  site.state.kind === 'ready' ? site.state.site.document('/', 'en', values).plain.toString() : null

test('the first start builds the pages, the next one finds them', async () => {
  const { open, logged, builds } = await openRoot({ canBuild: true })
  expect(textOf(await open())).toBe('one')
  expect(await logged({ event: 'site_built' })).toBeDefined()
  const made = await builds()
  expect(textOf(await open())).toBe('one')
  expect(await builds()).toEqual(made)
})

test('pages that are older than their sources are built anew, and the old ones go', async () => {
  const { write, open, builds } = await openRoot({ canBuild: true })
  await open()
  const [old] = await builds()
  await write('site/words.txt', 'two')
  expect(textOf(await open())).toBe('two')
  expect(await builds()).not.toContain(old)
  expect(await builds()).toHaveLength(1)
})

test('a file that was only touched is no reason to build', async () => {
  const { root, open, builds } = await openRoot({ canBuild: true })
  await open()
  const before = await builds()
  await utimes(join(root, 'site/words.txt'), new Date(), new Date())
  await open()
  expect(await builds()).toEqual(before)
})

test('two servers that start at once both get their pages, and one build stays', async () => {
  const { open, builds } = await openRoot({ canBuild: true })
  const sites = await Promise.all([open(), open()])
  expect(sites.map(textOf)).toEqual(['one', 'one'])
  expect(await builds()).toHaveLength(1)
})

test('drafts of other servers go only when they are abandoned, even if our clock is a year ahead', async () => {
  const { root, open, builds } = await openRoot({ canBuild: true })
  for (const draft of ['.under-way', '.abandoned']) await mkdir(join(root, 'dist/site', draft), { recursive: true })
  const abandoned = join(root, 'dist/site/.abandoned')
  const hoursAgo = new Date((await stat(abandoned)).mtimeMs - 2 * 60 * 60 * 1000)
  await utimes(abandoned, hoursAgo, hoursAgo)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 366 * 24 * 60 * 60 * 1000 })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  expect(textOf(await open())).toBe('one')
  expect(await builds()).toContain('.under-way')
  expect(await builds()).not.toContain('.abandoned')
})

test('without Vite there are no pages, and one line says how to get them', async () => {
  const { open, logged } = await openRoot({ canBuild: false })
  expect((await open()).state.kind).toBe('absent')
  expect(await logged({ event: 'site_not_built' })).toMatchObject({ next: expect.stringContaining('npm ci') })
})

test('without Vite, pages that were built before are served, however old', async () => {
  const { write, open, root } = await openRoot({ canBuild: true })
  await open()
  await rm(join(root, 'node_modules'), { recursive: true })
  await write('site/words.txt', 'two')
  expect(textOf(await open())).toBe('one')
})

test('a build that fails leaves nothing behind, and the log and the page say why', async () => {
  const { root, open, logged, builds } = await openRoot({ canBuild: true, build: "throw new Error('no such word')" })
  const { state } = await open()
  expect(state).toMatchObject({ kind: 'absent', failure: expect.stringContaining('Error: no such word') })
  expect(state).not.toMatchObject({ failure: expect.stringContaining(root) })
  expect(await logged({ event: 'site_not_built' })).toMatchObject({ cause: expect.stringContaining('no such word') })
  expect(await builds()).toEqual([])
})

test('a server that stops while the pages are built ends the build', async () => {
  const { root, log, logged } = await openRoot({ canBuild: true, build: 'setInterval(() => {}, 1000)' })
  const site = openSite({ log, clock: systemClock, root })
  await logged({ event: 'site_building' })
  expect(site.state.kind).toBe('building')
  await site.close()
  expect(await readdir(join(root, 'dist/site'))).toEqual([])
})

test('where nothing can be written, the log and the page say so', async () => {
  const { open, logged, write } = await openRoot({ canBuild: true })
  await write('dist', 'a file')
  expect((await open()).state).toMatchObject({ kind: 'absent', failure: expect.stringContaining('./dist/site') })
  expect(await logged({ event: 'site_not_built' })).toMatchObject({ next: expect.stringContaining('start again') })
})

test('pages are served from the build as soon as it has them, the documentation once it is complete', async () => {
  const { root, log, builds } = await openRoot({ canBuild: true, build: slowBuild })
  execFileSync('mkfifo', [join(root, 'gate')])
  const site = openSite({ log, clock: systemClock, root })
  await expect.poll(() => site.state.site?.has('/claim')).toBe(true)
  expect(site.state).toMatchObject({ kind: 'building', files: 7 })
  expect([site.state.site?.has('/docs'), site.state.site?.text('/llms.txt', 'en', values)]).toEqual([false, undefined])
  // Another server finds nothing that it could take for a build.
  expect((await builds()).filter((name) => !name.startsWith('.'))).toEqual([])
  await writeFile(join(root, 'gate'), '')
  await site.settled
  expect(site.state).toMatchObject({ kind: 'ready' })
  expect(site.state.site?.has('/docs')).toBe(true)
})

test('if the documentation cannot be built, the other pages stay', async () => {
  const { open } = await openRoot({
    canBuild: true,
    build: slowBuild.replace("readFileSync('gate')", "throw new Error('gate')"),
  })
  const { state } = await open()
  expect(state).toMatchObject({ kind: 'absent', failure: expect.stringContaining('Error: gate') })
  expect([state.site?.has('/claim'), state.site?.has('/docs')]).toEqual([true, false])
})
