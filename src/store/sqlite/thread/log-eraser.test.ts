import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { dataFilesContain } from '../../../../test/harness/data-files-contain.ts'
import { startScratchProcess } from '../../../../test/harness/scratch-process.ts'
import { openScratchStore, scratchDirectory } from '../../../../test/harness/scratch-store.ts'
import type { StoredCompletion } from '../../contract.ts'

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
