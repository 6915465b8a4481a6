import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { reservationOf } from '../../../../test/harness/ledger-records.ts'
import { openScratchStore, scratchDirectory } from '../../../../test/harness/scratch-store.ts'

test('what was committed reaches the database file without a commit that waits for it', async () => {
  using scratch = scratchDirectory()
  const bytesOf = (name: string): number => statSync(join(scratch.path, name)).size
  const store = await openScratchStore(scratch.path)
  const { id } = await store.organisations.first()
  // The migrations alone do not fill the log so far that SQLite would copy it by itself.
  const before = bytesOf('helix.db')
  for (let n = 0; n < 200; n += 1) await store.ledger.reserve([reservationOf(id)])
  await vi.waitUntil(() => bytesOf('helix.db') > before, { timeout: 60_000, interval: 5 })

  await store[Symbol.asyncDispose]()
  expect(readdirSync(scratch.path).filter((name) => /-wal|-shm/.test(name))).toEqual([])
})
