import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { dataDirOf, type Server, startServer } from '../ledger/server.ts'
import type { Part } from './part.ts'
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts'
import { wrongClock } from './wrong-clock.ts'

export type ChaosNode = Part & {
  readonly number: number
  readonly dataDir: string
  /** Its connections to PostgreSQL and to Redis. */
  readonly toPostgres: TcpProxy
  readonly toRedis: TcpProxy
  /** Null while it is not listening. */
  url(): string | null
  /** How often it has been started. */
  life(): number
  stop(): Promise<number | null>
  close(): Promise<void>
}

type NodeOptions = {
  number: number
  folder: string
  postgresSocket: string
  redisPort: number
  upstreams: string
  /** Threads that accept connections. */
  workers: number
  /** Of its clock, in milliseconds. */
  aheadMs: number
  /** All nodes have the same. Null for the first one, which creates it. */
  secretKey: string | null
}

const shortLeases = new URL('./short-leases.ts', import.meta.url).href

/** One of the nodes: `helix serve` with a data directory of its own. */
export const startNode = async (options: NodeOptions): Promise<ChaosNode> => {
  const { number, postgresSocket, redisPort, upstreams, workers, aheadMs, secretKey } = options
  const name = `node-${number}`
  const folder = join(options.folder, name)
  const dataDir = dataDirOf(folder)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (secretKey !== null) copyFileSync(secretKey, join(dataDir, 'secrets.key'))
  const toPostgres = await openTcpProxy({ path: postgresSocket })
  const toRedis = await openTcpProxy({ port: redisPort, host: '127.0.0.1' })
  const settings = {
    HELIX_STORE: `postgres://postgres@127.0.0.1:${toPostgres.port}/helix`,
    HELIX_REDIS: `redis://127.0.0.1:${toRedis.port}`,
    HELIX_NODE_NAME: name,
    HELIX_UPSTREAMS: upstreams,
    HELIX_WORKERS: String(workers),
    HELIX_STORE_TIMEOUT_MS: '3000',
    ...(aheadMs === 0 ? {} : wrongClock(aheadMs)),
  }
  let [url, life] = [null as string | null, 0]
  let server: Server | null = null
  const start = async (): Promise<void> => {
    life += 1
    server = startServer({ folder, fault: shortLeases, settings })
    url = await server.listening
  }
  await start()
  return {
    ...{ name, number, dataDir, toPostgres, toRedis },
    url: () => url,
    life: () => life,
    async kill() {
      url = null
      await server?.kill()
    },
    restart: start,
    pause: () => server?.pause(),
    resume: () => server?.resume(),
    stop: async () => (await server?.stop()) ?? null,
    async close() {
      server?.resume()
      await server?.kill()
      await toPostgres.close()
      await toRedis.close()
    },
  }
}

export const secretKeyOf = ({ dataDir }: ChaosNode): string => {
  const file = join(dataDir, 'secrets.key')
  if (!existsSync(file)) throw new Error('the first node has created no secrets.key')
  return file
}
