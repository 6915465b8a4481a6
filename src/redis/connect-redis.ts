import { createClient, createCluster, ErrorReply, type RedisClusterOptions } from '@redis/client'
import { readTlsOptions } from './tls-options.ts'

/** One connection, or those to all nodes of a Redis cluster. It does not connect again by itself. */
export type RedisConnection = {
  /** Rejects with an `ErrorReply` if Redis refuses the command; with something else if it cannot be reached. */
  send(key: string, command: readonly string[]): Promise<unknown>
  publish(channel: string, text: string): Promise<unknown>
  subscribe(channel: string, listener: (text: string) => void): Promise<void>
  unsubscribe(channel: string): Promise<void>
  destroy(): void
}

type ConnectOptions = {
  /** `redis://` or `rediss://` URLs; several, or one that says so, are nodes of a Redis cluster. */
  addresses: readonly string[]
  timeoutMs: number
  /** Called once if the connection is lost. */
  onLost(reason: Error): void
}

export const connectRedis = async (options: ConnectOptions): Promise<RedisConnection> =>
  options.addresses.length > 1 ? connectToCluster(options) : connectToServer(options)

/** The time limit of commands is that of `openRedis`: the client's own ends when a command is sent. */
const withoutQueue = { disableOfflineQueue: true, commandOptions: { timeout: 0 }, name: 'helix' } as const

const connectToServer = async (options: ConnectOptions): Promise<RedisConnection> => {
  const { addresses, timeoutMs, onLost } = options
  const [url = ''] = addresses
  const client = createClient({
    ...withoutQueue,
    url,
    socket: { ...readTlsOptions(url), connectTimeout: timeoutMs, reconnectStrategy: false },
    maintNotifications: 'disabled',
  })
  client.on('error', onLost)
  await client.connect()
  if (isCluster(await client.sendCommand(['INFO', 'cluster']).catch(() => ''))) {
    client.off('error', onLost).destroy()
    return connectToCluster(options)
  }
  return {
    send: (_key, command) => client.sendCommand([...command]),
    publish: (channel, text) => client.publish(channel, text),
    subscribe: (channel, listener) => client.subscribe(channel, (text) => listener(text)),
    unsubscribe: (channel) => client.unsubscribe(channel),
    destroy: () => client.destroy(),
  }
}

/** One node of a cluster, or the address that a hosted cluster has for all, refuses the keys of the others. A proxy may know no `INFO`. */
const isCluster = (info: unknown): boolean => /^cluster_enabled:1\r?$/m.test(String(info))

const connectToCluster = async ({ addresses, timeoutMs, onLost }: ConnectOptions): Promise<RedisConnection> => {
  const cluster = createCluster({
    rootNodes: addresses.map((url) => ({
      url,
      socket: { ...readTlsOptions(url), connectTimeout: timeoutMs, reconnectStrategy: false },
    })),
    defaults: clusterDefaults(addresses, timeoutMs),
  })
  cluster.on('error', onLost)
  await cluster.connect()
  return {
    send: (key, command) => cluster.sendCommand(key, false, [...command]),
    publish: (channel, text) => cluster.publish(channel, text),
    subscribe: (channel, listener) => cluster.subscribe(channel, (text) => listener(text)),
    unsubscribe: (channel) => cluster.unsubscribe(channel),
    destroy: () => cluster.destroy(),
  }
}

/** Nodes that the cluster names have the user, the password and TLS of the first address. */
const clusterDefaults = (
  addresses: readonly string[],
  timeoutMs: number,
): NonNullable<RedisClusterOptions['defaults']> => {
  const [first = ''] = addresses
  const { username, password } = new URL(first)
  return {
    ...withoutQueue,
    maintNotifications: 'disabled',
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    socket: { ...readTlsOptions(first), connectTimeout: timeoutMs, reconnectStrategy: 500 },
  }
}

/** Redis answered with an error: the connection works. */
export const isErrorReply = (error: unknown): error is Error => error instanceof ErrorReply
