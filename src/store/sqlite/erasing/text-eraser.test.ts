import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { changeDatabase } from '../../../../test/harness/change-database.ts'
import { dataFilesContain } from '../../../../test/harness/data-files-contain.ts'
import { startScratchProcess } from '../../../../test/harness/scratch-process.ts'
import { addOrganisation, openScratchStore, scratchDirectory } from '../../../../test/harness/scratch-store.ts'
import type { StoredCompletion } from '../../contract.ts'
import { pageLayout, unusedSpace } from './unused-space.ts'

const canary = 'xyzzy plugh plover'

const completionOf = (organisationId: string, id: string, text = canary): StoredCompletion => ({
  ...{ id, organisationId, createdAt: 1, model: 'helix-v1', metadata: null },
  completion: JSON.stringify({ text }),
  messages: JSON.stringify([text]),
})

test('a deletion is answered although somebody reads, and erased once nobody reads any more', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { id: organisationId } = await store.organisations.first()
  await store.completions.insert(completionOf(organisationId, 'chatcmpl-1'))
  const reader = new DatabaseSync(join(scratch.path, 'helix.db'), { readOnly: true })
  reader.exec('BEGIN; SELECT count(*) FROM stored_completions')
  expect(await store.completions.remove(organisationId, 'chatcmpl-1')).toBe(true)
  expect(dataFilesContain(scratch.path, canary)).toBe(true)
  reader.exec('COMMIT')
  reader.close()
  while (dataFilesContain(scratch.path, canary)) await store.ping()
})

test('what a killed server had deleted is erased by the next start', async () => {
  using scratch = scratchDirectory()
  const harness = new URL('../../../../test/harness/scratch-store.ts', import.meta.url).href
  const child = await startScratchProcess(`
    import { DatabaseSync } from 'node:sqlite'
    import { openScratchStore } from ${JSON.stringify(harness)}
    const store = await openScratchStore(${JSON.stringify(scratch.path)})
    const { id } = await store.organisations.first()
    await store.completions.insert({ ...${JSON.stringify(completionOf('', 'chatcmpl-1'))}, organisationId: id })
    const reader = new DatabaseSync(${JSON.stringify(join(scratch.path, 'helix.db'))})
    reader.exec('BEGIN; SELECT count(*) FROM stored_completions')
    console.log(await store.completions.remove(id, 'chatcmpl-1'))
  `)
  await child.kill()
  expect(child.line).toBe('true')
  expect(dataFilesContain(scratch.path, canary)).toBe(true)
  await using store = await openScratchStore(scratch.path)
  expect(dataFilesContain(scratch.path, canary)).toBe(false)
  await store.ping()
})

test('a thousand deletions at once are all erased when they are answered', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { id: organisationId } = await store.organisations.first()
  const ids = Array.from({ length: 1_000 }, (_, n) => `chatcmpl-${n}`)
  await Promise.all(ids.map((id) => store.completions.insert(completionOf(organisationId, id, `${canary} ${id}`))))
  await Promise.all(ids.map((id) => store.completions.remove(organisationId, id)))
  expect(dataFilesContain(scratch.path, canary)).toBe(false)
})

test('the oldest response, which makes room for a new one, is erased', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { id: organisationId } = await store.organisations.first()
  const insert = (n: number, response: string) =>
    store.responses.insert(
      { id: `resp_${n}`, organisationId, createdAt: n, previousId: null, response, input: '[]', deltas: null },
      [],
    )
  await insert(0, JSON.stringify(canary))
  await Promise.all(Array.from({ length: 9_999 }, (_, n) => insert(n + 1, '{}')))
  expect(dataFilesContain(scratch.path, canary)).toBe(true)
  await insert(10_000, '{}')
  while (dataFilesContain(scratch.path, canary)) await store.ping()
})

test('the oldest bodies, which make room for new ones, are erased', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { id: organisationId } = await store.organisations.first()
  await changeDatabase({ dataDir: scratch.path }, 'UPDATE organisations SET body_days = 30')
  const bodiesOf = (n: number, text: string) => ({
    ...{ requestId: `req_${n}`, organisationId, createdAt: n },
    request: { text, isCut: false },
    answer: { text, isCut: false },
  })
  await store.bodies.keep([bodiesOf(0, canary)])
  await store.bodies.keep(Array.from({ length: 9_999 }, (_, n) => bodiesOf(n + 1, '{}')))
  expect(dataFilesContain(scratch.path, canary)).toBe(true)
  await store.bodies.keep([bodiesOf(10_000, '{}')])
  while (dataFilesContain(scratch.path, canary)) await store.ping()
})

/** As SQLite leaves it when it moves rows to another page. */
const leaveCopy = (path: string, text: string): void => {
  const name = join(path, 'helix.db')
  const file = readFileSync(name)
  const { pageBytes, usableBytes } = pageLayout(file)
  const pages = Array.from({ length: file.length / pageBytes }, (_, n) => ({
    offset: n * pageBytes,
    unused: unusedSpace(file.subarray(n * pageBytes, (n + 1) * pageBytes), n + 1, usableBytes)[0],
  }))
  const roomy = pages.findLast(({ unused }) => unused !== undefined && unused.end - unused.start > 1_000)
  file.write(text, (roomy?.offset ?? 0) + (roomy?.unused?.start ?? 0) + 500)
  writeFileSync(name, file)
}

test('copies of moved rows that an earlier version left are cleared by the start', async () => {
  using scratch = scratchDirectory()
  await (await openScratchStore(scratch.path))[Symbol.asyncDispose]()
  leaveCopy(scratch.path, canary)
  expect(dataFilesContain(scratch.path, canary)).toBe(true)
  await using store = await openScratchStore(scratch.path)
  expect(dataFilesContain(scratch.path, canary)).toBe(false)
  await store.ping()
})

test('copies that another program left are cleared with the next deletion', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { id: organisationId } = await store.organisations.first()
  await store.completions.insert(completionOf(organisationId, 'chatcmpl-1', 'text'))
  await store.completions.remove(organisationId, 'chatcmpl-1')
  leaveCopy(scratch.path, canary)
  await addOrganisation({ dataDir: scratch.path })
  await store.completions.insert(completionOf(organisationId, 'chatcmpl-1', 'text'))
  await store.completions.remove(organisationId, 'chatcmpl-1')
  while (dataFilesContain(scratch.path, canary)) await store.ping()
})
