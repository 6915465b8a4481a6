import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { replayOf, reservationOf, settlementOf } from '../../../test/harness/ledger-records.ts'
import { openScratchStore, scratchDirectory } from '../../../test/harness/scratch-store.ts'
import { canMount, withinSmallFileSystem } from '../../../test/harness/small-file-system.ts'
import type { ReservationRecord } from '../ledger-contract.ts'
import { reservationRow, settlementRow } from '../operations/ledger/ledger-rows.ts'
import { openDatabase } from './database/open-database.ts'
import { reserveRequests } from './operations/ledger/reserve.ts'
import { settleRequests } from './operations/ledger/settle.ts'
import { type Job, runBatch } from './thread/run-batch.ts'
import { StoreThread } from './thread/store-thread.ts'
import { startStoreWorker } from './thread/store-workers.ts'

const optionsIn = (path: string) => ({
  file: join(path, 'helix.db'),
  backupDirectory: join(path, 'backups'),
  now: 0,
})
const manyOf = (organisationId: string): ReservationRecord[] =>
  Array.from({ length: 500 }, () => reservationOf(organisationId, { model: 'm'.repeat(200) }))

test('when the disk is full a reservation fails whole, and works again when there is room', () => {
  using scratch = scratchDirectory()
  const db = openDatabase(optionsIn(scratch.path))
  db.exec("INSERT INTO organisations (id, name, created_at) VALUES ('org_1', 'One', 0)")
  const before = reservationOf('org_1')
  const reserve = (id: number, some: ReservationRecord[]): Job => ({
    id,
    writes: true,
    run: () => reserveRequests(db, some.map(reservationRow)),
  })
  expect(runBatch(db, [reserve(1, [before])]).committed).toBe(true)
  const pages = Number(db.prepare('PRAGMA page_count').get()?.page_count)
  db.exec(`PRAGMA max_page_count = ${pages + 2}`)
  const many = manyOf('org_1')
  const { answers, committed } = runBatch(db, [reserve(2, [reservationOf('org_1')]), reserve(3, many)])
  const reason = 'database or disk is full'
  if (committed) expect(answers).toMatchObject([{ ok: true }, { ok: false, reason }])
  else
    expect(answers).toMatchObject([
      { ok: false, reason },
      { ok: false, reason },
    ])
  const settle: Job = {
    id: 4,
    writes: true,
    run: () => settleRequests(db, [settlementRow(settlementOf(before.requestId))], []),
  }
  expect(runBatch(db, [settle]).answers).toEqual([{ id: 4, ok: true, value: 1 }])
  expect(db.prepare('SELECT count(*) AS n FROM ledger_reservations').get()?.n).toBe(committed ? 2 : 1)
  db.exec('PRAGMA max_page_count = 1000000')
  expect(runBatch(db, [reserve(5, many)]).committed).toBe(true)
  expect(db.prepare('SELECT count(*) AS n FROM ledger_open').get()?.n).toBe(committed ? 501 : 500)
  expect(db.prepare('PRAGMA quick_check').get()?.quick_check).toBe('ok')
  db.close()
})

const runInSmallFileSystem = (path: string, script: string): string[] => {
  const [command = '', ...args] = [...withinSmallFileSystem(path), process.execPath, '--input-type=module', '--eval']
  return execFileSync(command, [...args, script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .trim()
    .split('\n')
}

test.skipIf(!canMount)('a file system that is really full is survived as well', () => {
  using scratch = scratchDirectory()
  const here = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href)
  const lines = runInSmallFileSystem(
    scratch.path,
    `
    import { rmSync, writeFileSync } from 'node:fs'
    import { openScratchStore } from ${here('../../../test/harness/scratch-store.ts')}
    import { reservationOf, settlementOf } from ${here('../../../test/harness/ledger-records.ts')}
    const store = await openScratchStore(${JSON.stringify(scratch.path)})
    const { id } = await store.organisations.first()
    const first = reservationOf(id)
    await store.ledger.reserve([first])
    const ballast = ${JSON.stringify(join(scratch.path, 'ballast'))}
    for (let size = 4_000_000; size >= 1; size = Math.floor(size / 2)) {
      try { writeFileSync(ballast, 'x'.repeat(size), { flag: 'a' }) } catch {}
    }
    const many = Array.from({ length: 500 }, () => reservationOf(id))
    const tell = (promise) => promise.then(() => console.log('done'), (error) => console.log(error.message))
    await tell(store.ledger.reserve(many))
    await tell(store.ping())
    console.log((await store.ledger.list({ organisationId: id, before: null, limit: 1000 })).length)
    rmSync(ballast)
    await tell(store.ping())
    await tell(store.ledger.settle([settlementOf(first.requestId)], []))
    await tell(store.ledger.reserve(many))
    console.log((await store.ledger.list({ organisationId: id, before: null, limit: 1000 })).length)
    console.log((await store.usage.verify()).differences.length)
    await store.close()
  `,
  )
  const full = expect.stringMatching(/full/)
  expect(lines).toEqual([full, full, '1', 'done', 'done', 'done', '501', '0'])
})

test('while another program has the database locked, a write fails with that reason, and works after it', async () => {
  using scratch = scratchDirectory()
  const thread = await StoreThread.over(startStoreWorker({ ...optionsIn(scratch.path), busyTimeoutMs: 20 }))
  const holder = new DatabaseSync(join(scratch.path, 'helix.db'))
  holder.exec('BEGIN IMMEDIATE')
  const locked = 'The store could not recordWriteCheck: database is locked by another program'
  await expect(thread.call('recordWriteCheck', 1)).rejects.toThrow(locked)
  expect(await thread.call('listKeys', 'all')).toEqual([])
  holder.exec('ROLLBACK')
  await thread.call('recordWriteCheck', 2)
  holder.close()
  await thread.close()
})

/** Overwrites the middle of the file, where no header tells of it. */
const damage = (file: string): void => {
  const content = readFileSync(file)
  content.fill(0xa5, 4_096 * 2)
  writeFileSync(file, content)
}

test('a damaged database stops the start, and the newest backup is named with what to do', async () => {
  using scratch = scratchDirectory()
  const path = join(scratch.path, 'data')
  await (await openScratchStore(path))[Symbol.asyncDispose]()
  const file = join(path, 'helix.db')
  const [older, newer] = ['helix-v3-older.db', 'helix-v4-newer.db'].map((name) => join(path, 'backups', name))
  damage(file)
  await expect(openScratchStore(path)).rejects.toThrow(`No backup found in ${join(path, 'backups')}`)
  mkdirSync(join(path, 'backups'))
  for (const [index, backup] of [newer, older].entries()) {
    copyFileSync(file, backup ?? '')
    utimesSync(backup ?? '', 9 - index, 9 - index)
  }
  const message = await openScratchStore(path).then(
    () => '',
    (error: Error) => error.message,
  )
  expect(message).toContain(`Cannot open ${file}: `)
  expect(message).toContain(`The newest backup is ${newer}`)
  expect(message).toContain(`'mv ${path} ${path}.damaged'`)
  expect(message).toContain(`'helix restore ${path}.damaged/backups/helix-v4-newer.db'`)
  expect(message).not.toContain('\n')
})

test('damage that shows only while the server runs ends the store with the same advice', async () => {
  using scratch = scratchDirectory()
  const options = optionsIn(scratch.path)
  const db = openDatabase(options)
  db.exec("INSERT INTO organisations (id, name, created_at) VALUES ('org_1', 'One', 0)")
  const reservations = Array.from({ length: 60 }, () => reservationOf('org_1'))
  const keyHashOf = (n: number): Uint8Array => new Uint8Array(32).fill(n)
  const content = 'x'.repeat(100_000)
  const replays = reservations.map((reservation, n) => replayOf(reservation, { keyHash: keyHashOf(n), content }))
  reserveRequests(db, reservations.map(reservationRow))
  settleRequests(
    db,
    reservations.map(({ requestId }) => settlementRow(settlementOf(requestId))),
    replays,
  )
  db.close()
  const thread = await StoreThread.over(startStoreWorker(options))
  damage(options.file)
  // Some of it is still in memory.
  const readAll = Promise.all(replays.map((_, n) => thread.call('findReplay', 'org_1', keyHashOf(n), 0)))
  await expect(readAll).rejects.toThrow(/is damaged: .*No backup found in/)
  expect((await thread.failed).message).toMatch(/is damaged: .*'helix restore FILE'/)
  await expect(thread.call('listKeys', 'all')).rejects.toThrow(/is damaged/)
  await thread.close()
})

test('the text of an answer that had its time is in no file any more', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { id } = await store.organisations.first()
  const reservation = reservationOf(id)
  await store.ledger.reserve([reservation])
  const content = 'the plum lantern '.repeat(5_000)
  await store.ledger.settle([settlementOf(reservation.requestId)], [replayOf(reservation, { content })])
  const filesWithIt = () =>
    readdirSync(scratch.path).filter((name) => readFileSync(join(scratch.path, name)).includes('plum lantern'))
  expect(filesWithIt()).not.toEqual([])
  expect(await store.replays.removeExpired(9_000)).toBe(1)
  await store.ping()
  expect(filesWithIt()).toEqual([])
})
