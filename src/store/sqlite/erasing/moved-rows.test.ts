import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openScratchStore, scratchDirectory } from '../../../../test/harness/scratch-store.ts'

/** The same numbers in every run, from 0 to below 1. */
const createRandom = (seed: number) => (): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648
}

/** Every part of it names it, so that it is found wherever it is cut off. */
const textOf = (id: number, length: number): string => `<${String(id).padStart(6, '0')}>`.repeat(Math.ceil(length / 8))

const filesOf = (path: string): string =>
  ['helix.db', 'helix.db-wal'].map((name) => readFileSync(join(path, name), 'latin1')).join('\n')

const foundIn = (files: string): Set<number> => new Set([...files.matchAll(/<(\d{6})>/g)].map(([, id]) => Number(id)))

/**
 * SQLite moves rows between pages as others come and go, and leaves copies behind. Short and long texts, in tables and in an index, are
 * inserted, changed and deleted, several in each transaction and in a random order.
 */
test.each([1, 2])('of thousands of deleted texts nothing is left in any page (seed %i)', async (seed) => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { id: organisationId } = await store.organisations.first()
  const random = createRandom(seed)
  const kept = new Set<number>()
  let texts = 0
  const nameOf = (id: number): string => `chatcmpl-${(id * 7_919) % 100_003}`
  const insert = async (): Promise<void> => {
    texts += 1
    const id = texts
    kept.add(id)
    const text = textOf(id, random() < 0.8 ? 10 + 400 * random() : 9_000 * random())
    const record = { id: nameOf(id), organisationId, createdAt: Math.floor(1e6 * random()), model: 'helix-v1' }
    const metadata = { [textOf(id, 8)]: text.slice(0, 400) }
    await store.completions.insert({ ...record, metadata, completion: text, messages: text.slice(0, 80) })
  }
  const deletions: Promise<boolean>[] = []
  for (let round = 0; round < 400; round += 1) {
    const insertions = Array.from({ length: 10 }, () => insert())
    const ids = [...kept]
    while (kept.size > 100 + 800 * random()) {
      const id = ids[Math.floor(random() * ids.length)] ?? 0
      if (kept.delete(id)) deletions.push(store.completions.remove(organisationId, nameOf(id)))
    }
    await Promise.all(insertions)
  }
  expect(new Set(await Promise.all(deletions))).toEqual(new Set([true]))
  const found = foundIn(filesOf(scratch.path))
  expect(deletions.length).toBeGreaterThan(3_000)
  expect([...found].filter((id) => !kept.has(id))).toEqual([])
  expect([...kept].filter((id) => !found.has(id))).toEqual([])
  const db = new DatabaseSync(join(scratch.path, 'helix.db'), { readOnly: true })
  expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  db.close()
})
