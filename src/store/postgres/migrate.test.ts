import pg from 'pg'
import { expect, test } from 'vitest'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { createScratchDatabase } from '../../../test/harness/postgres/scratch-database.ts'
import { startedPostgres } from '../../../test/harness/postgres/started-postgres.ts'
import { migrations, postgresMigrations } from '../migrations/migrations.ts'
import { migrate } from './migrate.ts'
import { openPostgresStore } from './open-postgres-store.ts'

const postgres = await startedPostgres()

test('PostgreSQL begins with a baseline at version 15 and has the versions of SQLite from there on', () => {
  const applied = (list: readonly { id: number; name: string }[]) => list.map(({ id, name }) => ({ id, name }))
  expect(applied(postgresMigrations)).toEqual([
    { id: 15, name: 'baseline' },
    ...applied(migrations).filter(({ id }) => id > 15),
  ])
})

test.skipIf(postgres === null)('a database of version 15 keeps its rows and gets every later migration', async () => {
  if (postgres === null) return
  await using database = await createScratchDatabase(postgres.url, 'template0')
  const client = new pg.Client(database.url)
  await client.connect()
  try {
    await migrate(client, 5, postgresMigrations.slice(0, 1))
    await client.query(
      "INSERT INTO organisations (id, name, created_at, tokens_per_day) VALUES ('org_1', 'One', 0, 500)",
    )
    await client.query(`INSERT INTO ledger_parties (organisation_id, key_id) VALUES ('org_1', 'key_1');
      INSERT INTO ledger_reservations (
        transaction_id, node, request_id, party, model, endpoint, is_stream, reserved_tokens, created_at
      ) SELECT 1, 'main', 'req_1', id, 'a', 'chat.completions', 1, 100, 1000 FROM ledger_parties`)
    const store = await openPostgresStore({ url: database.url, clock: createManualClock() })
    try {
      expect(await store.ledger.find('req_1')).toMatchObject({ organisationId: 'org_1', model: 'a', settlement: null })
      expect(await store.organisations.limits('org_1')).toMatchObject({
        limits: { tokensPerDay: 500, requestsPerDay: null },
      })
    } finally {
      await store.close()
    }
    const { rows } = await client.query('SELECT id, name FROM schema_migrations ORDER BY id')
    expect(rows).toEqual(postgresMigrations.map(({ id, name }) => ({ id, name })))
  } finally {
    await client.end()
  }
})
