import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type Cluster, hasCluster, startCluster } from '../harness/cluster.ts'
import { freePort } from '../harness/free-port.ts'
import { isFullGrid } from '../harness/grid.ts'
import { findProxy, type ProxyName, startProxy } from '../harness/proxies.ts'
import { say, sayJson, startUpstream } from '../harness/scripted-upstream.ts'
import { modelName } from '../harness/start-helix.ts'
import { type Program, startProgram } from '../harness/start-program.ts'

const leastRequests = isFullGrid ? 2000 : 400
const clients = isFullGrid ? 12 : 4
/** Between the requests of a client: clients that never pause take the time that the nodes need to start. */
const pauseMs = isFullGrid ? 0 : 20

/** A node on a port that it keeps over restarts. */
const createNode = (cluster: Cluster, upstreamUrl: string, port: number) => {
  const start = (dataDir?: string): Promise<Program> =>
    startProgram({
      ...(dataDir === undefined ? {} : { dataDir }),
      args: ['--port', String(port)],
      env: {
        HELIX_STORE: cluster.databaseUrl,
        HELIX_REDIS: cluster.redisUrl,
        HELIX_REDIS_PREFIX: cluster.redisPrefix,
        HELIX_REDIS_TIMEOUT_MS: '30000',
        HELIX_SECRET_KEY: cluster.secretKey,
        HELIX_NODE_NAME: `node-${port}`,
        HELIX_UPSTREAM_URL: upstreamUrl,
        HELIX_UPSTREAM_MODEL: modelName,
        HELIX_SHUTDOWN_DELAY_MS: '2500',
        HELIX_ORGANISATION_REQUESTS_PER_MINUTE: '0',
        HELIX_ORGANISATION_TOKENS_PER_MINUTE: '0',
        HELIX_ORGANISATION_REQUESTS_IN_FLIGHT: '0',
      },
    })
  let program: Program | null = null
  return {
    async start() {
      program = await start(program?.dataDir)
    },
    async restart() {
      const { url = '' } = program ?? {}
      // As a deployment does before it goes on to the next node. nginx does not ask.
      const isReady = async (): Promise<boolean> => (await fetch(`${url}/readyz`)).ok
      expect(await isReady()).toBe(true)
      expect(await program?.stop()).toBe(0)
      await this.start()
      while (!(await isReady()));
    },
  }
}

/** Asks again and again, streams and documents in turn, and notes what was no complete answer. */
const runClient = async (url: string, authorized: Record<string, string>, counts: Counts, isOver: () => boolean) => {
  for (let number = 0; !isOver(); number += 1) {
    const stream = number % 2 === 0
    try {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: authorized,
        body: JSON.stringify({ model: modelName, stream, messages: [{ role: 'user', content: 'Hi' }] }),
      })
      const text = await response.text()
      const isWhole = stream ? text.endsWith('data: [DONE]\n\n') : text.includes('"finish_reason":"stop"')
      if (response.status !== 200 || !isWhole) counts.failed.push(`${response.status} ${text.slice(-300)}`)
    } catch (error) {
      counts.failed.push(`${error}: ${error instanceof Error ? error.cause : ''}`)
    }
    counts.requests += 1
    await setTimeout(pauseMs)
  }
}

type Counts = { requests: number; failed: string[] }

const programs = { haproxy: await findProxy('haproxy'), nginx: await findProxy('nginx') }

const tried: readonly ProxyName[] = isFullGrid || programs.haproxy === null ? ['haproxy', 'nginx'] : ['haproxy']

describe.skipIf(!hasCluster)('three nodes that are restarted in turn under load', () => {
  for (const name of tried)
    test.skipIf(programs[name] === null)(`fail no request behind ${name}`, { timeout: 300_000 }, async () => {
      const cluster = await startCluster({ nodes: 1 })
      const { authorized } = cluster.node(1)
      const upstream = await startUpstream((response, { url, body }) => {
        if (!url.endsWith('/chat/completions')) return response.writeHead(404).end()
        return body.stream === true ? say(response, 'Hello', ', ', 'world') : sayJson(response, { content: 'Hello' })
      })
      const ports = [await freePort(), await freePort(), await freePort()]
      const nodes = ports.map((port) => createNode(cluster, upstream.baseUrl, port))
      await Promise.all(nodes.map((node) => node.start()))
      const url = await startProxy(name, programs[name] ?? '', ports)
      const counts: Counts = { requests: 0, failed: [] }
      let isRestarted = false
      const isOver = (): boolean => isRestarted && counts.requests >= leastRequests
      const load = Array.from({ length: clients }, () => runClient(url, authorized, counts, isOver))
      for (const node of nodes) await node.restart()
      isRestarted = true
      await Promise.all(load)
      expect(counts.failed).toEqual([])
      expect(counts.requests).toBeGreaterThanOrEqual(leastRequests)
    })
})
