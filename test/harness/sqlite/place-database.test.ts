import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createManualClock } from '../manual-clock.ts'
import { scratchPath } from '../scratch-path.ts'
import { startHelix } from '../start-helix.ts'
import { placeDatabase } from './place-database.ts'

const read = (dataDir: string, sql: string): unknown[] => {
  using db = new DatabaseSync(join(dataDir, 'helix.db'), { readOnly: true })
  return db
    .prepare(sql)
    .all()
    .map((row) => Object.values(row)[0])
}

test('a server starts with the schema of the run, which was made once, and with rows of its own', async () => {
  const { dataDir } = await startHelix()
  expect(read(dataDir, 'SELECT DISTINCT applied_at FROM schema_migrations')).toEqual([createManualClock().now()])
  expect(read(dataDir, 'SELECT count(*) FROM organisations')).toEqual([1])
})

test('a server with a data directory of the test runs the migrations itself', async () => {
  const { dataDir } = await startHelix({ config: { dataDir: scratchPath() } })
  const [appliedAt] = read(dataDir, 'SELECT DISTINCT applied_at FROM schema_migrations')
  expect(appliedAt).not.toBe(createManualClock().now())
})

test('a database that is there stays', () => {
  const dataDir = scratchPath()
  {
    using db = new DatabaseSync(join(dataDir, 'helix.db'))
    db.exec('CREATE TABLE mine (one INTEGER)')
  }
  placeDatabase(dataDir)
  expect(read(dataDir, 'SELECT name FROM sqlite_schema')).toEqual(['mine'])
})
