import { Client, type ClientBase, DatabaseError } from 'pg'
import { failureReason } from '../failure-reason.ts'
import { connectionOptions, databaseName } from '../postgres/connection-options.ts'
import { StoreFailure } from '../store-failure.ts'
import { noSpace } from './no-space.ts'

const retryMs = 2_000
const maxRetries = 60

export interface PostgresSession {
  /** Without the password. */
  readonly place: string
  /** Runs the work, and again from its beginning if the connection was lost. */
  run<Result>(work: (client: ClientBase) => Promise<Result>): Promise<Result>
  /** The same, in a transaction. */
  transact<Result>(work: (client: ClientBase) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

type SessionOptions = {
  url: string
  /** The connection was lost, and will be tried again. */
  onLost(reason: string): void
  signal: AbortSignal
}

/** One connection, which is opened again when it is lost: long work must survive a restart of the database. */
export const createPostgresSession = ({ url, onLost, signal }: SessionOptions): PostgresSession => {
  const place = databaseName(url)
  let client: Client | null = null
  let hasConnected = false
  const connect = async (): Promise<Client> => {
    if (client !== null) return client
    const opened = new Client(connectionOptions(url))
    opened.on('error', () => {})
    opened.once('end', () => {
      if (client === opened) client = null
    })
    await opened.connect()
    client = opened
    hasConnected = true
    return opened
  }
  const drop = async (): Promise<void> => {
    const dropped = client
    client = null
    await dropped?.end().catch(() => {})
  }
  const run: PostgresSession['run'] = async (work) => {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await work(await connect())
      } catch (error) {
        if (error instanceof StoreFailure) throw error
        const isLost = !(error instanceof DatabaseError) || isShutdown(error)
        if (isLost) await drop()
        signal.throwIfAborted()
        if (isFull(error)) throw new StoreFailure(noSpace(place), { cause: error })
        if (!isLost || !hasConnected || attempt > maxRetries || isMistake(error))
          throw new StoreFailure(`Cannot use ${place}: ${failureReason(error)}`, { cause: error })
        onLost(failureReason(error))
        await pause(retryMs, signal)
      }
  }
  return {
    place,
    run,
    transact: (work) =>
      run(async (connection) => {
        await connection.query('BEGIN')
        try {
          const result = await work(connection)
          await connection.query('COMMIT')
          return result
        } catch (error) {
          await connection.query('ROLLBACK').catch(() => {})
          throw error
        }
      }),
    close: drop,
  }
}

/** The server stops or starts, or ended this session: `57P01` to `57P05`, and the connection's own class `08`. */
const isShutdown = ({ code = '' }: DatabaseError): boolean => code.startsWith('57P') || code.startsWith('08')

/** `disk_full`. */
const isFull = (error: unknown): boolean => error instanceof DatabaseError && error.code === '53100'

/** Not a failure of the connection. */
const isMistake = (error: unknown): boolean => error instanceof TypeError || error instanceof RangeError

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
  })
