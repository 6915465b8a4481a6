import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { replayOf, reservationOf, settlementOf } from '../../../../test/harness/ledger-records.ts'
import { openScratchStore, scratchDirectory } from '../../../../test/harness/scratch-store.ts'
import { systemClock } from '../../../base/clock.ts'
import type { Store } from '../../contract.ts'
import { lockDataDirectory } from '../../data-directory.ts'
import { restoreDatabase } from '../database/restore-database.ts'

const settleOne = async (store: Store, organisationId: string, contentBytes: number): Promise<void> => {
  const reservation = reservationOf(organisationId)
  await store.ledger.reserve([reservation])
  const keyHash = crypto.getRandomValues(new Uint8Array(32))
  const replay = replayOf(reservation, { keyHash, content: 'x'.repeat(contentBytes) })
  await store.ledger.settle([settlementOf(reservation.requestId)], [replay])
}

const writesDuringBackup = async (store: Store, organisationId: string, file: string): Promise<number> => {
  const isBeingWritten = (): boolean => (statSync(`${file}.partial`, { throwIfNoEntry: false })?.size ?? 0) > 0
  let done = false
  const backup = store.backUp(file).finally(() => {
    done = true
  })
  let writes = 0
  while (!done) {
    const began = isBeingWritten()
    await settleOne(store, organisationId, 10)
    if (began && isBeingWritten()) writes += 1
  }
  await backup
  return writes
}

test('writes go on while a backup is written, and the backup is one moment of them', async () => {
  using scratch = scratchDirectory()
  using other = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { id } = await store.organisations.first()
  for (let n = 0; n < 6; n += 1) await settleOne(store, id, 4_000_000)
  let file = ''
  let meanwhile = 0
  // On a busy machine no write may happen to lie within the time that a backup takes: then another one is written.
  for (let copies = 0; meanwhile === 0; copies += 1) {
    file = join(other.path, `copy-${copies}.db`)
    meanwhile = await writesDuringBackup(store, id, file)
  }
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(other.path).filter((name) => name.endsWith('.partial'))).toEqual([])

  const directory = await lockDataDirectory(join(other.path, 'data'), { clock: systemClock, waitMs: 0 })
  restoreDatabase(file, directory)
  directory.release()
  await using restored = await openScratchStore(directory.path)
  const { checkedRequests, differences } = await restored.usage.verify()
  expect(differences).toEqual([])
  expect(checkedRequests).toBeGreaterThanOrEqual(6)
  expect(checkedRequests).toBeLessThan((await store.usage.verify()).checkedRequests)
  expect(await restored.organisations.first()).toEqual(await store.organisations.first())
})

test('a file that exists, or cannot be written, is refused, and nothing is left behind', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const existing = join(scratch.path, 'helix.lock')
  await expect(store.backUp(existing)).rejects.toThrow(`Cannot write ${existing}: it exists already.`)
  const lost = join(scratch.path, 'nowhere', 'x.db')
  await expect(store.backUp(lost)).rejects.toThrow(`Cannot write ${lost}: its directory does not exist.`)
  const file = join(scratch.path, 'x.db')
  const [first, second] = await Promise.allSettled([store.backUp(file), store.backUp(file)])
  expect([first.status, second.status]).toEqual(['fulfilled', 'rejected'])
  writeFileSync(join(scratch.path, 'folder'), '')
  await expect(store.backUp(join(scratch.path, 'folder', 'x.db'))).rejects.toThrow(/Cannot write/)
  expect(readdirSync(scratch.path).filter((name) => name.endsWith('.partial'))).toEqual([])
})
