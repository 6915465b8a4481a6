import type { Socket } from 'node:net'
import { buildConnector, Client, errors } from 'undici'
import type { Clock } from '../../base/clock.ts'
import { isKeptExactly } from './silence-timer.ts'
import type { UpstreamTls } from './upstream-tls.ts'

/** A connection to an upstream. It carries one request at a time. */
export interface UpstreamConnection {
  readonly client: Client
  /** Null until it is established. */
  socket: Socket | null
  /** An earlier request was answered on it, so the upstream may close it at any time. */
  isUsed: boolean
}

/** The connections to one upstream. They stay open for the next request. */
export interface UpstreamConnections {
  /** One that is idle, the last used first, or a new one. */
  take(options: { isNew: boolean }): UpstreamConnection
  /** Its response has ended. */
  giveBack(connection: UpstreamConnection): void
  /** Whatever is under way on it is broken off. */
  drop(connection: UpstreamConnection): void
  close(): void
}

type ConnectionsOptions = {
  /** Scheme, host and port. */
  origin: string
  /** Null: connects as to any web server. */
  tls: UpstreamTls | null
  /** How long it may take to connect, TLS included. */
  connectLimitMs: number
  clock: Clock
}

/** How long idle connections stay open if the upstream does not say how long it keeps them. */
const idleMs = 60_000

type Connector = ReturnType<typeof buildConnector>

/** Undici's own limit is late, but ends the attempt of a connection that is given up. */
const limitedConnector = ({ tls, connectLimitMs, clock }: ConnectionsOptions): Connector => {
  const connect = buildConnector({ timeout: connectLimitMs, allowH2: false, ...tls?.options })
  if (!isKeptExactly(connectLimitMs)) return connect
  return (options, callback) => {
    let isOver = false
    const giveUp = (): void => {
      if (isOver) return
      isOver = true
      callback(new errors.ConnectTimeoutError(), null)
    }
    // What arrived while this thread was busy is read first.
    const cancel = clock.after(connectLimitMs, () => setImmediate(giveUp))
    connect(options, (...outcome) => {
      const [, socket] = outcome
      cancel()
      if (isOver) socket?.destroy()
      else callback(...outcome)
      isOver = true
    })
  }
}

export const openUpstreamConnections = (options: ConnectionsOptions): UpstreamConnections => {
  const { origin, tls } = options
  const connect = limitedConnector(options)
  const all = new Set<UpstreamConnection>()
  const idle: UpstreamConnection[] = []

  const open = (): UpstreamConnection => {
    const client = new Client(origin, {
      connect: (options, callback) =>
        connect(options, (...outcome) => {
          const [, socket] = outcome
          connection.socket = socket
          connection.isUsed = false
          callback(...outcome)
        }),
      // The request sets its own.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleMs,
    })
    const connection: UpstreamConnection = { client, socket: null, isUsed: false }
    // A busy one is dropped with its request.
    client.on('disconnect', () => {
      if (idle.includes(connection)) drop(connection)
    })
    all.add(connection)
    return connection
  }
  const drop = (connection: UpstreamConnection): void => {
    const position = idle.indexOf(connection)
    if (position !== -1) idle.splice(position, 1)
    all.delete(connection)
    void connection.client.destroy()
  }
  const close = (): void => {
    tls?.ended.removeEventListener('abort', close)
    for (const connection of all) drop(connection)
  }
  tls?.ended.addEventListener('abort', close, { once: true })
  return {
    take: ({ isNew }) => (isNew ? undefined : idle.pop()) ?? open(),
    giveBack(connection) {
      // Its response may end while it is being dropped.
      if (!all.has(connection)) return
      connection.isUsed = true
      idle.push(connection)
    },
    drop,
    close,
  }
}
