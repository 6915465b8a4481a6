import type { ClientConfig } from 'pg'
import { columnTypes } from './column-types.ts'

export type PostgresOptions = {
  /** `postgres://user:password@host:port/database?sslmode=verify-full&sslrootcert=…` */
  url: string
  /** Connections for operations; one more holds the lock against other nodes. */
  poolSize?: number
  statementTimeoutMs?: number
}

const connectTimeoutMs = 10_000
/** Routers forget connections that are silent for a few minutes, and the lock's is silent for days. */
const keepAliveMs = 10_000

/**
 * What every connection has. A time-out of statements is no parameter of the connection, which pgbouncer would refuse:
 * transactions set it, and the client stops waiting a little later.
 */
export const connectionOptions = (url: string): ClientConfig => ({
  connectionString: url,
  fallback_application_name: 'helix',
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: keepAliveMs,
  types: columnTypes,
})

/** Without the password, for lines that an operator reads. */
export const databaseName = (url: string): string => {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname}${port === '' ? '' : `:${port}`}${pathname}`
}
