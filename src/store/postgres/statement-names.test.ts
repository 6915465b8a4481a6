import { expect, test } from 'vitest'
import { keyRecordOf } from '../../../test/harness/key-record.ts'
import { createManualClock } from '../../../test/harness/manual-clock.ts'
import { createScratchDatabase, execSql } from '../../../test/harness/postgres/scratch-database.ts'
import { startedPostgres } from '../../../test/harness/postgres/started-postgres.ts'
import { openPostgresStore } from './open-postgres-store.ts'
import { createStatementNames } from './statement-names.ts'

const postgres = await startedPostgres()

test('a text always has the same name, and another text another', () => {
  const [one, other] = [createStatementNames(true), createStatementNames(true)]
  expect(one.of('SELECT 1')).toEqual(other.of('SELECT 1'))
  expect(one.of('SELECT 1')).not.toEqual(one.of('SELECT 2'))
  // PostgreSQL cuts longer names.
  expect(one.of('SELECT 1').name?.length).toBeLessThan(64)
})

test('through a pooler there are none', () => {
  expect(createStatementNames(false).of('SELECT 1')).toEqual({})
})

test.skipIf(postgres === null)(
  'a prepared statement works while another node migrates, also if its columns change',
  async () => {
    if (postgres === null) return
    await using database = await createScratchDatabase(postgres.url, postgres.template)
    const store = await openPostgresStore({ url: database.url, clock: createManualClock(), poolSize: 2 })
    try {
      const hash = new Uint8Array(32).fill(7)
      const key = keyRecordOf((await store.organisations.first()).id)
      await store.keys.insert(key, hash)
      const found = await store.keys.findByHash(hash)
      await execSql(database.url, 'ALTER TABLE api_keys ALTER COLUMN name TYPE VARCHAR(200)')
      expect(await store.keys.findByHash(hash)).toEqual(found)
      expect(found).toMatchObject({ record: { id: key.id }, secret: 'current' })
    } finally {
      await store.close()
    }
  },
)
