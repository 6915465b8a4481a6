import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyRecordOf } from '../../../test/harness/key-record.ts'
import { startScratchProcess } from '../../../test/harness/scratch-process.ts'
import { openScratchStore, scratchDirectory } from '../../../test/harness/scratch-store.ts'
import { StoreFailure } from '../store-failure.ts'
import { StoreThread } from './thread/store-thread.ts'
import { startStoreWorker } from './thread/store-workers.ts'

const hashOf = (n: number): Uint8Array => Uint8Array.from({ length: 32 }, (_, i) => (n >> (8 * (i % 4))) & 255)

test('a thousand writes at once are all kept, with far fewer transactions', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { id } = await store.organisations.first()
  const before = store.commits()
  await Promise.all(Array.from({ length: 1_000 }, (_, n) => store.keys.insert(keyRecordOf(id), hashOf(n))))
  expect(await store.keys.list('all')).toHaveLength(1_000)
  expect(store.commits() - before).toBeLessThan(100)
})

test('of writes made together only the wrong ones fail, with their reason', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  const { id } = await store.organisations.first()
  const results = await Promise.allSettled([
    store.keys.insert(keyRecordOf(id), hashOf(1)),
    store.keys.insert(keyRecordOf(id), hashOf(1)),
    store.keys.insert(keyRecordOf('org_unknown'), hashOf(2)),
    store.keys.insert(keyRecordOf(id), hashOf(3)),
  ])
  const reason = (result: PromiseSettledResult<void>) => result.status === 'rejected' && result.reason.message
  expect(results.map(reason)).toEqual([
    false,
    'The store could not insertKey: UNIQUE constraint failed: api_keys.secret_hash',
    'The store could not insertKey: FOREIGN KEY constraint failed',
    false,
  ])
  expect(await store.keys.list('all')).toHaveLength(2)
})

test('closing finishes what was asked before, reopening finds it, and later calls are refused', async () => {
  using scratch = scratchDirectory()
  const store = await openScratchStore(scratch.path)
  const { id } = await store.organisations.first()
  const writes = Array.from({ length: 50 }, (_, n) => store.keys.insert(keyRecordOf(id), hashOf(n)))
  await store[Symbol.asyncDispose]()
  await Promise.all(writes)
  await expect(store.ping()).rejects.toThrow('The store is closed.')
  await store.close()
  await using again = await openScratchStore(scratch.path)
  expect(await again.keys.list('all')).toHaveLength(50)
})

test('a write that was reported as done survives kill -9', async () => {
  using scratch = scratchDirectory()
  const child = await startScratchProcess(`
    import { openScratchStore } from ${JSON.stringify(new URL('../../../test/harness/scratch-store.ts', import.meta.url).href)}
    const store = await openScratchStore(${JSON.stringify(scratch.path)})
    const organisation = await store.organisations.first()
    const record = ${JSON.stringify(keyRecordOf('later'))}
    await store.keys.insert({ ...record, organisationId: organisation.id }, new Uint8Array(32))
    console.log(record.id)
  `)
  await child.kill()
  expect(child.line).toMatch(/^key_/)
  await using store = await openScratchStore(scratch.path)
  expect((await store.keys.findByHash(new Uint8Array(32)))?.record.id).toBe(child.line)
})

test('the database and the files beside it are for their owner only', async () => {
  using scratch = scratchDirectory()
  await using store = await openScratchStore(scratch.path)
  await store.ping()
  const names = readdirSync(scratch.path)
  expect(names).toEqual(['helix.db', 'helix.db-shm', 'helix.db-wal', 'helix.lock'])
  for (const name of names) expect(statSync(join(scratch.path, name)).mode & 0o777).toBe(0o600)
})

test('a file that is no database is refused in one line', async () => {
  using scratch = scratchDirectory()
  const file = join(scratch.path, 'helix.db')
  writeFileSync(file, 'This was a shopping list. '.repeat(100))
  await expect(openScratchStore(scratch.path)).rejects.toThrow(`Cannot open ${file}: file is not a database`)
})

test('however far behind the thread is, no more calls wait for it than there are callers', async () => {
  using scratch = scratchDirectory()
  const options = { file: join(scratch.path, 'helix.db'), backupDirectory: join(scratch.path, 'backups'), now: 0 }
  const worker = startStoreWorker(options)
  const thread = await StoreThread.over(worker)
  const sizes: number[] = []
  const post = worker.postMessage.bind(worker)
  worker.postMessage = (message: unknown) => {
    if (Array.isArray(message)) sizes.push(message.length)
    post(message)
  }
  const callers = Array.from({ length: 25 }, async () => {
    for (let call = 0; call < 20; call += 1) await thread.call('recordWriteCheck', call)
  })
  await Promise.all(callers)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(25)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(500)
  Reflect.deleteProperty(worker, 'postMessage')
  await thread.close()
})

test('when the thread dies, waiting and later calls are told so', async () => {
  using scratch = scratchDirectory()
  const options = { file: join(scratch.path, 'helix.db'), backupDirectory: join(scratch.path, 'backups'), now: 0 }
  const worker = startStoreWorker(options)
  const thread = await StoreThread.over(worker)
  const waiting = Array.from({ length: 20 }, () => thread.call('recordWriteCheck', 1))
  const settled = Promise.allSettled(waiting)
  await worker.terminate()
  for (const result of await settled) {
    if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(StoreFailure)
  }
  await expect(thread.call('listKeys', 'all')).rejects.toThrow('The store thread stopped unexpectedly.')
  expect((await thread.failed).message).toBe('The store thread stopped unexpectedly.')
  await thread.close()
})
