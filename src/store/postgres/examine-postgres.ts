import { Client } from 'pg'
import { failureReason } from '../failure-reason.ts'
import { StoreFailure } from '../store-failure.ts'
import { checkServer } from './check-server.ts'
import { connectionOptions, databaseName } from './connection-options.ts'

/** Describes the database, or throws with the reason why it cannot be used. It changes nothing. */
export const examinePostgres = async (url: string): Promise<string> => {
  const client = new Client(connectionOptions(url))
  client.on('error', () => {})
  try {
    await client.connect()
    return `PostgreSQL ${await checkServer(client)} at ${databaseName(url)}`
  } catch (error) {
    throw new StoreFailure(`Cannot open ${databaseName(url)}: ${failureReason(error)}; check HELIX_STORE`, {
      cause: error,
    })
  } finally {
    await client.end().catch(() => {})
  }
}
