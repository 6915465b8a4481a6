import pg from 'pg'
import { expect, test } from 'vitest'
import { reservationOf } from '../../../test/harness/ledger-records.ts'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { createScratchDatabase } from '../../../test/harness/postgres/scratch-database.ts'
import { startedPostgres } from '../../../test/harness/postgres/started-postgres.ts'
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
