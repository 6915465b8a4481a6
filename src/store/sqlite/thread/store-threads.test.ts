import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { refusalOf, reservationOf, settlementOf } from '../../../../test/harness/ledger-records.ts'
import { openScratchStore, scratchDirectory } from '../../../../test/harness/scratch-store.ts'

/** From now on a search that meets a refusal counts to `steps` first. */
const slowDown = (path: string, steps: number): void => {
  const db = new DatabaseSync(join(path, 'helix.db'), { timeout: 5_000 })
  const count = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${steps}) SELECT count(*) FROM n`
  db.exec(`
    BEGIN IMMEDIATE;
    DROP VIEW refused_requests;
    CREATE VIEW refused_requests AS SELECT * FROM stored_refusals WHERE (${count}) > 0;
    COMMIT`)
  db.close()
}

const prepareSlowdown = (path: string): void => {
  const db = new DatabaseSync(join(path, 'helix.db'), { timeout: 5_000 })
  db.exec(`
    ALTER TABLE refused_requests RENAME TO stored_refusals;
    CREATE VIEW refused_requests AS SELECT * FROM stored_refusals`)
  db.close()
}

test('reservations become durable while a search is still running', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { id } = await store.organisations.first()
  await store.requestLog.refuse([refusalOf(id)])
  prepareSlowdown(scratch.path)
  const search = () => store.requestLog.search({ organisationId: id, before: null, limit: 10 })
  expect((await search()).rows).toHaveLength(1)
  // On one thread the first reservation, or at the latest the second, would wait for the search, however long it takes. A
  // busy machine may write them so slowly that the search ends first: then a longer one is tried.
  for (let steps = 1_000_000; ; steps *= 2) {
    slowDown(scratch.path, steps)
    const events: string[] = []
    const searching = search().then(() => events.push('search'))
    for (const name of ['first', 'second', 'third']) {
      await store.ledger.reserve([reservationOf(id)])
      events.push(name)
    }
    await searching
    if (events.at(-1) === 'search') break
  }
})

test('a search finds everything that was written before it, answered or not', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { id } = await store.organisations.first()
  const seen = async (): Promise<number> =>
    (await store.requestLog.search({ organisationId: id, before: null, limit: 1_000 })).rows.length
  for (let round = 0; round < 20; round += 1) {
    const reservation = reservationOf(id)
    const writes = [
      store.ledger.reserve([reservation]),
      store.requestLog.refuse([refusalOf(id)]),
      store.ledger.settle([settlementOf(reservation.requestId)], []),
    ]
    const [found, request] = await Promise.all([seen(), store.requestLog.find(reservation.requestId)])
    expect(found).toBe(2 * round + 2)
    expect(request).toMatchObject({ settlement: { outcome: 'completed' } })
    await Promise.all(writes)
  }
})

test('closing answers the searches that were asked for, refuses later ones and leaves one file', async () => {
  using scratch = scratchDirectory()
  const store = await openScratchStore(scratch.path)
  const { id } = await store.organisations.first()
  const asked = store.requestLog.search({ organisationId: id, before: null, limit: 10 })
  const closed = store[Symbol.asyncDispose]()
  expect((await asked).rows).toEqual([])
  await expect(store.keys.list('all')).rejects.toThrow('The store is closed.')
  await closed
  expect(readdirSync(scratch.path).filter((name) => /-wal|-shm/.test(name))).toEqual([])
})
