import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { findPostgres } from '../test/harness/postgres/find-postgres.ts'
import { startPostgres } from '../test/harness/postgres/start-postgres.ts'
import { findRedis } from '../test/harness/redis/find-redis.ts'
import { startRedis } from '../test/harness/redis/start-redis.ts'
import type { GatewayLoad, GatewayTimes } from './gateway-load.ts'
import { type LaunchedHelix, launchHelix } from './launch-helix.ts'

type Load = Pick<GatewayLoad, 'requests' | 'connections'>

/** A node on SQLite, two on PostgreSQL and Redis, and an upstream that answers at once, each in a process of its own. */
export type ClusterProcesses = {
  alone: LaunchedHelix
  nodes: readonly [LaunchedHelix, LaunchedHelix]
  postgresUrl: string
  /** Sends the load to each of these servers at the same time. */
  ask(servers: readonly LaunchedHelix[], load: Load): Promise<GatewayTimes[]>
  close(): Promise<void>
}

/** Null if PostgreSQL or Redis cannot be had. */
export const startClusterProcesses = async (signal: AbortSignal): Promise<ClusterProcesses | null> => {
  const [postgresPrograms, redisProgram] = [await findPostgres(), await findRedis()]
  if (postgresPrograms === null || redisProgram === null) return null
  const children: ChildProcess[] = []
  const forkFile = (file: URL): ChildProcess => {
    const child = fork(fileURLToPath(file), { signal })
    children.push(child)
    return child
  }
  const postgres = await startPostgres(postgresPrograms, { isDurable: true })
  const redis = await startRedis(redisProgram)
  const upstream = forkFile(new URL('./gateway-upstream.ts', import.meta.url))
  const [port] = await once(upstream, 'message', { signal })
  const settings = {
    HELIX_UPSTREAM_URL: `http://127.0.0.1:${port}/v1`,
    HELIX_UPSTREAM_MODEL: 'upstream',
    HELIX_ENGINE_SLOTS: '64',
  }
  const shared = {
    ...settings,
    HELIX_STORE: postgres.url,
    HELIX_REDIS: redis.url,
    HELIX_SECRET_KEY: randomBytes(32).toString('base64'),
  }
  const alone = await launchHelix(signal, settings)
  const nodes = [await launchHelix(signal, shared), await launchHelix(signal, shared)] as const
  const loads = nodes.map(() => forkFile(new URL('./gateway-load.ts', import.meta.url)))
  return {
    alone,
    nodes,
    postgresUrl: postgres.url,
    ask: (servers, load) =>
      Promise.all(servers.map((server, index) => askWith(loads[index] ?? noLoad(), server, load, signal))),
    async close() {
      for (const server of [alone, ...nodes]) await server.close()
      for (const child of children) child.kill()
      await redis.close()
      await postgres.close()
    },
  }
}

const askWith = async (child: ChildProcess, server: LaunchedHelix, load: Load, signal: AbortSignal) => {
  const done = once(child, 'message', { signal })
  child.send({
    url: `${server.url}/v1/chat/completions`,
    headers: { authorization: `Bearer ${server.key}` },
    body: JSON.stringify({
      model: server.model,
      messages: [{ role: 'user', content: 'Tell me something about the sea.' }],
      max_tokens: 100,
    }),
    ...load,
  } satisfies GatewayLoad)
  const [answer] = await done
  if (answer.error !== undefined) throw new Error(answer.error)
  return answer
}

const noLoad = (): never => {
  throw new RangeError('there are not as many processes that send requests')
}
