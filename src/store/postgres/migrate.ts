import type { ClientBase } from 'pg'
import { errorMessage } from '../../base/caught-error.ts'
import type { PostgresMigration } from '../migrations/migration.ts'
import { postgresMigrations } from '../migrations/migrations.ts'
import { requireSupported, type SupportRow, supportRow, supportTable } from '../migrations/supported-version.ts'
import { integer, type Row } from '../operations/row.ts'
import { StoreFailure } from '../store-failure.ts'

/** An arbitrary number that nothing else in the database locks: the letters of `helix`. */
const migrationLock = 0x68_65_6c_69

/**
 * Brings the schema up to date, one migration in each transaction. Of several nodes that start at the same time one
 * migrates, and the others wait.
 */
export const migrate = async (
  client: ClientBase,
  now: number,
  migrations: readonly PostgresMigration[] = postgresMigrations,
): Promise<void> => {
  while (await migrateOnce(client, now, migrations));
}

/** False: there was nothing to do. */
const migrateOnce = async (
  client: ClientBase,
  now: number,
  migrations: readonly PostgresMigration[],
): Promise<boolean> => {
  await client.query('BEGIN')
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${migrationLock})`)
    const version = await schemaVersion(client)
    await client.query(`CREATE TABLE IF NOT EXISTS ${supportTable} (
      id INTEGER NOT NULL PRIMARY KEY, readable_since INTEGER NOT NULL
    )`)
    requireSupported(version, migrations.at(-1)?.id ?? 0, await listSupport(client))
    const next = migrations.find(({ id }) => id > version) ?? null
    if (next !== null) await apply(client, next, now)
    await client.query('COMMIT')
    return next !== null
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

export const schemaVersion = async (client: ClientBase): Promise<number> => {
  await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
    id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL
  )`)
  return readVersion(client)
}

/** Of a database that has tables. */
export const readVersion = async (client: ClientBase): Promise<number> => {
  const { rows } = await client.query<Row>('SELECT coalesce(max(id), 0) AS version FROM schema_migrations')
  return integer(rows[0] ?? {}, 'version')
}

export const listSupport = async (client: ClientBase): Promise<SupportRow[]> => {
  const { rows } = await client.query<Row>(`SELECT id, readable_since FROM ${supportTable}`)
  return rows.map((row) => ({ id: integer(row, 'id'), readableSince: integer(row, 'readable_since') }))
}

const apply = async (client: ClientBase, migration: PostgresMigration, now: number): Promise<void> => {
  const { id, name, postgres } = migration
  try {
    await client.query(postgres)
    await client.query('INSERT INTO schema_migrations (id, name, applied_at) VALUES ($1, $2, $3)', [id, name, now])
    await client.query(`INSERT INTO ${supportTable} (id, readable_since) VALUES ($1, $2)`, [
      id,
      supportRow(migration).readableSince,
    ])
  } catch (error) {
    const reason = errorMessage(error)
    throw new StoreFailure(`Migration ${id} (${name}) failed and was rolled back: ${reason}`, { cause: error })
  }
}
