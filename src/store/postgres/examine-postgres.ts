import { Client } from 'pg'
import { failureReason } from '../failure-reason.ts'
import type { SchemaState } from '../migrations/schema-state.ts'
import { supportTable } from '../migrations/supported-version.ts'
import { integer, type Row } from '../operations/row.ts'
import { StoreFailure } from '../store-failure.ts'
import { checkServer } from './check-server.ts'
import { connectionOptions, databaseName } from './connection-options.ts'
import { listSupport, readVersion } from './migrate.ts'
import { databaseNow } from './operations/nodes/nodes.ts'

/** Describes the database, or throws with the reason why it cannot be used. It changes nothing. */
export const examinePostgres = (url: string): Promise<string> =>
  withClient(url, async (client) => `PostgreSQL ${await checkServer(client)} at ${databaseName(url)}`)

/** Milliseconds since 1970 by the clock of the database. */
export const readPostgresTime = (url: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<Row>(`SELECT ${databaseNow} AS now`)
    return integer(rows[0] ?? {}, 'now')
  })

/** It changes nothing. Null: there are no tables yet. */
export const readPostgresSchema = (url: string): Promise<SchemaState | null> =>
  withClient(url, async (client) => {
    if (!(await hasTable(client, 'schema_migrations'))) return null
    const support = (await hasTable(client, supportTable)) ? await listSupport(client) : []
    return { version: await readVersion(client), support, disk: null }
  })

const hasTable = async (client: Client, name: string): Promise<boolean> => {
  const { rows } = await client.query<{ found: string | null }>('SELECT to_regclass($1) AS found', [name])
  return rows[0]?.found !== null
}

const withClient = async <Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> => {
  const client = new Client(connectionOptions(url))
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    throw new StoreFailure(`Cannot open ${databaseName(url)}: ${failureReason(error)}; check HELIX_STORE`, {
      cause: error,
    })
  } finally {
    await client.end().catch(() => {})
  }
}
