import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { keyedChat } from '../harness/keyed-chat.ts'
import { ledgerRows, settledRows } from '../harness/ledger-rows.ts'
import { lockTable } from '../harness/postgres/lock-table.ts'
import { openRelay } from '../harness/postgres/open-relay.ts'
import { createScratchDatabase, execSql } from '../harness/postgres/scratch-database.ts'
import { startedPostgres } from '../harness/postgres/started-postgres.ts'
import { readError } from '../harness/read-error.ts'
import { type Helix, openHelix, startHelix } from '../harness/start-helix.ts'
import { tempDir } from '../harness/temp-dir.ts'

const postgres = await startedPostgres()

const scratchDatabase = async (): Promise<string> => {
  if (postgres === null) throw new Error('there is no PostgreSQL')
  const database = await createScratchDatabase(postgres.url, postgres.template)
  onTestFinished(() => database[Symbol.asyncDispose]())
  return database.url
}

/** How requests were settled, once there are so many. Not through a relay. */
const outcomesOnce = async (storeUrl: string, count: number) =>
  (await settledRows({ dataDir: '', storeUrl }, count)).map(({ outcome }) => outcome)

/** The server asks once a second whether the database is back. */
const answeredAgain = async (helix: Pick<Helix, 'chat'>): Promise<void> => {
  while ((await helix.chat({})).status !== 200);
}

const disconnectAll = `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`

describe.skipIf(postgres === null)('a server on PostgreSQL', () => {
  test('keeps keys, answers for retries and usage in the database, over a restart', async () => {
    const store = await scratchDatabase()
    const dataDir = await tempDir()
    const before = await openHelix({ config: { dataDir, store } })
    const answer = await (await keyedChat(before, 'once')).text()
    await before.close()

    const mustNotRun = () => {
      throw new Error('must not run')
    }
    const after = await startHelix({ config: { dataDir, store }, answer: mustNotRun })
    const replayed = await keyedChat({ chat: after.chat, authorized: before.authorized }, 'once')
    expect(replayed.headers.get('idempotent-replayed')).toBe('true')
    expect(await replayed.text()).toBe(answer)
    expect(existsSync(join(dataDir, 'helix.db'))).toBe(false)
  })

  test('is the only one that uses the database', async () => {
    const store = await scratchDatabase()
    await startHelix({ config: { store } })
    await expect(openHelix({ config: { store } })).rejects.toThrow('in use by another Helix server')
  })

  test('refuses requests while the database is away, and goes on when it is back', async () => {
    const relay = await openRelay(await scratchDatabase())
    const helix = await startHelix({ config: { store: relay.url } })
    await relay.cut()
    const refused = await helix.chat({})
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await readError(refused)).toMatchObject({ code: expect.stringMatching(/^(store|ledger)_unavailable$/) })
    await relay.mend()
    await answeredAgain(helix)
  })

  test('answers keys that it knows while the database is away, and writes the ledger when it is back', async () => {
    const store = await scratchDatabase()
    const relay = await openRelay(store)
    const helix = await startHelix({ config: { store: relay.url } })
    expect((await helix.chat({})).status).toBe(200)
    await relay.cut()
    const answers = await Promise.all([helix.chat({}), helix.chat({ stream: true }), helix.chat({})])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await (await fetch(`${helix.url}/readyz`)).json()).toMatchObject({ checks: { store: 'spooling' } })
    const unknown = { authorization: `Bearer ${helix.key.slice(0, -1)}x` }
    expect((await fetch(`${helix.baseUrl}/models`, { headers: unknown })).status).not.toBe(200)
    await relay.mend()
    expect(await outcomesOnce(store, 4)).toEqual(['completed', 'completed', 'completed', 'completed'])
    expect(await helix.logged({ event: 'ledger_spool_written' })).toMatchObject({ requests: 3 })
  })

  test('goes on in the same way while the database is read-only, as after a failover', async () => {
    const store = await scratchDatabase()
    const setReadOnly = (isReadOnly: boolean): Promise<void> =>
      execSql(
        store,
        'SET default_transaction_read_only = off',
        `ALTER DATABASE ${new URL(store).pathname.slice(1)} SET default_transaction_read_only = ${isReadOnly}`,
        // Later, only new connections can write.
        ...(isReadOnly ? [disconnectAll] : []),
      )
    const helix = await startHelix({ config: { store } })
    expect((await helix.chat({})).status).toBe(200)
    await setReadOnly(true)
    expect((await helix.chat({})).status).toBe(200)
    const keyed = await keyedChat(helix, 'k')
    expect(keyed.status).toBe(503)
    expect(await readError(keyed)).toMatchObject({ code: expect.stringMatching(/^(store|ledger)_unavailable$/) })
    await setReadOnly(false)
    expect((await outcomesOnce(store, 2)).slice(0, 2)).toEqual(['completed', 'completed'])
    expect(await helix.logged({ event: 'ledger_spool_written' })).toMatchObject({ requests: 1 })
  })

  test('a server that stops while the database is away leaves its ledger on the disk for the next start', async () => {
    const store = await scratchDatabase()
    const relay = await openRelay(store)
    const dataDir = await tempDir()
    const before = await openHelix({ config: { dataDir, store: relay.url } })
    expect((await before.chat({})).status).toBe(200)
    await relay.cut()
    expect((await before.chat({})).status).toBe(200)
    await before.close()
    await relay.mend()
    const after = await startHelix({ config: { dataDir, store: relay.url } })
    expect(await outcomesOnce(store, 2)).toEqual(['completed', 'completed'])
    const replayed = await after.logged({ event: 'ledger_spool_replayed' })
    expect(replayed).toMatchObject({ requests: 1, written: 1, damagedLines: 0 })
  })

  test('refuses requests at once while the database is away, if it is told to', async () => {
    const relay = await openRelay(await scratchDatabase())
    const helix = await startHelix({ config: { store: relay.url, storeOutageMinutes: 0 } })
    expect((await helix.chat({})).status).toBe(200)
    await relay.cut()
    expect((await helix.chat({})).status).toBe(503)
    await relay.mend()
    await answeredAgain(helix)
  })

  test('goes on after its connections were cut in the middle of a statement', async () => {
    const store = await scratchDatabase()
    const relay = await openRelay(store)
    const helix = await startHelix({ config: { store: relay.url } })
    expect((await helix.chat({})).status).toBe(200)
    const lock = await lockTable(store, 'ledger_reservations')
    const asked = helix.chat({})
    await lock.waitedFor()
    await relay.cut()
    expect((await asked).status).toBe(200)
    await lock.release()
    // The database has carried out the statement nevertheless.
    while ((await ledgerRows({ dataDir: '', storeUrl: store })).length < 2);
    await relay.mend()
    expect((await helix.chat({})).status).toBe(200)
    expect(await outcomesOnce(store, 3)).toEqual(['completed', 'completed', 'completed'])
  })

  test('goes on after its connections were cut', async () => {
    const store = await scratchDatabase()
    const helix = await startHelix({ config: { store } })
    await execSql(store, disconnectAll)
    expect((await helix.chat({})).status).toBe(200)
  })
})
