import pg from 'pg'
import { expect, test } from 'vitest'
import { reservationOf } from '../../../test/harness/ledger-records.ts'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { createScratchDatabase, execSql } from '../../../test/harness/postgres/scratch-database.ts'
import { startedPostgres } from '../../../test/harness/postgres/started-postgres.ts'
import { StoreUnavailable } from '../store-failure.ts'
import { openPostgresStore } from './open-postgres-store.ts'

const postgres = await startedPostgres()

test.skipIf(postgres === null)('reservations do not wait for searches, however many there are', async () => {
  if (postgres === null) return
  await using database = await createScratchDatabase(postgres.url, postgres.template)
  const store = await openPostgresStore({ url: database.url, clock: createManualClock(), poolSize: 3 })
  const locking = new pg.Client({ connectionString: database.url })
  await locking.connect()
  try {
    const { id } = await store.organisations.first()
    await locking.query('BEGIN')
    await locking.query('LOCK TABLE prompts IN ACCESS EXCLUSIVE MODE')
    const reader = { accountId: 'acct_1', organisationId: id }
    const searches = Promise.all(Array.from({ length: 6 }, () => store.playground.listPrompts(reader)))
    const reservation = reservationOf(id)
    await store.ledger.reserve([reservation])
    expect(await store.ledger.find(reservation.requestId)).toMatchObject({ organisationId: id })
    await locking.query('ROLLBACK')
    expect((await searches).flat()).toEqual([])
  } finally {
    await locking.end()
    await store.close()
  }
})

test.skipIf(postgres === null)('a connection to a server that is read-only is not used again', async () => {
  if (postgres === null) return
  await using database = await createScratchDatabase(postgres.url, postgres.template)
  const store = await openPostgresStore({ url: database.url, clock: createManualClock(), poolSize: 1 })
  const name = new URL(database.url).pathname.slice(1)
  /** For connections that are opened from now on. */
  const makeReadOnly = (isReadOnly: boolean, ...more: string[]): Promise<void> =>
    execSql(
      database.url,
      'SET default_transaction_read_only = off',
      `ALTER DATABASE ${name} SET default_transaction_read_only = ${isReadOnly}`,
      ...more,
    )
  try {
    const { id } = await store.organisations.first()
    const disconnect = `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`
    await makeReadOnly(true, disconnect)
    // The first may find a connection that was just ended.
    for (;;) {
      const error = await store.ledger.reserve([reservationOf(id)]).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(StoreUnavailable)
      if (`${error}`.includes('read-only')) break
    }
    await makeReadOnly(false)
    await store.ledger.reserve([reservationOf(id)])
  } finally {
    await store.close()
  }
})
