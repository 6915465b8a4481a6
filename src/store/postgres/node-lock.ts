import { Client, type ClientConfig, DatabaseError } from 'pg'
import { StoreFailure } from '../store-failure.ts'

/**
 * Makes sure that a server without leases uses its database alone: it would settle the requests of others. Servers with leases
 * share the lock, so that the two kinds exclude each other.
 */
export interface NodeLock {
  /** Resolves, with a line for the operator, if the other kind has the database although this one never gave it back. */
  readonly lost: Promise<StoreFailure>
  close(): Promise<void>
}

type WantedLock = {
  /** For the operator. */
  database: string
  isShared: boolean
}

/** An arbitrary number that nothing else in the database locks. */
const nodeLock = 0x68_65_6c_78
const lockNotAvailable = '55P03'
/** A node that has just been killed may still be connected for a moment. */
const waitMs = 1_500
const retryMs = 1_000
/** Longer than a connection that broke without the server's noticing keeps the lock. */
const maxRefusals = 20

/** A node whose machine has lost power or its network gives up the lock after half a minute, not after the usual hours. */
const keepAlive = `SET LOCAL tcp_keepalives_idle = 10; SET LOCAL tcp_keepalives_interval = 5;
  SET LOCAL tcp_keepalives_count = 4`

/**
 * The lock belongs to a transaction that stays open, not to a session: so it also holds through pgbouncer in transaction
 * mode, where a session's lock would outlive it. The transaction has read nothing and delays no cleaning.
 */
export const openNodeLock = async (options: ClientConfig, wanted: WantedLock): Promise<NodeLock> => {
  const lost = Promise.withResolvers<StoreFailure>()
  let isClosed = false
  let refusals = 0
  let timer: NodeJS.Timeout | undefined
  let client = await takeLock(options, wanted)

  const onEnd = (): void => {
    if (!isClosed) timer = setTimeout(() => void retake(), retryMs)
  }
  const retake = async (): Promise<void> => {
    try {
      client = await takeLock(options, wanted)
      refusals = 0
      if (isClosed) await client.end()
      else client.once('end', onEnd)
    } catch (error) {
      // Unless another node has the lock, the database cannot be reached: operations fail until it can be.
      if (error instanceof StoreFailure) refusals += 1
      if (error instanceof StoreFailure && refusals === maxRefusals) lost.resolve(error)
      else onEnd()
    }
  }
  client.once('end', onEnd)
  return {
    lost: lost.promise,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await client.end()
    },
  }
}

const takeLock = async (options: ClientConfig, { database, isShared }: WantedLock): Promise<Client> => {
  const client = new Client(options)
  // What breaks an idle connection: `end` follows.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = ${waitMs}`)
    await client.query(keepAlive)
    await client.query(`SELECT pg_advisory_xact_lock${isShared ? '_shared' : ''}(${nodeLock})`)
    await client.query('SET LOCAL lock_timeout = 0')
    return client
  } catch (error) {
    await client.end().catch(() => {})
    if (!(error instanceof DatabaseError && error.code === lockNotAvailable)) throw error
    throw new StoreFailure(inUse(database, isShared), { cause: error })
  }
}

const inUse = (database: string, isShared: boolean): string =>
  isShared
    ? `The database ${database} is in use by a Helix server without HELIX_REDIS, which uses it alone: stop that server, or give it the same HELIX_REDIS.`
    : `The database ${database} is in use by another Helix server. Without HELIX_REDIS only one can use it at a time: stop the other one, specify another database, or set HELIX_REDIS for several nodes.`
