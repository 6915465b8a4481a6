import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../test/harness/free-port.ts'
import type { GatewayLoad, GatewayTimes } from './gateway-load.ts'
import { installPortkey } from './install-portkey.ts'
import { type LaunchedHelix, launchHelix } from './launch-helix.ts'
import { pinnedCommand } from './pinned-command.ts'
import { startPinned } from './start-pinned.ts'

export type Gateway = { pid: number; url: string; headers: Record<string, string>; model: string }
export type GatewayKind = 'json' | 'stream'

/** Everything that the gateway bench needs, each in a process of its own. */
export type GatewayProcesses = {
  helix: Gateway
  bare: Gateway
  /** Null if npm cannot install it. */
  portkey: Gateway | null
  /** The upstream itself, without a gateway. */
  direct: Gateway
  /** Another Helix before the same upstream, with so many workers and these settings. */
  startHelix(workers: number, settings?: Record<string, string>): Promise<Gateway>
  /** Another Helix before the same upstream, which keeps this part of its traces; null: it has none. */
  startTraced(sampleRatio: number | null): Promise<Gateway>
  ask(gateway: Gateway, kind: GatewayKind, load: Omit<GatewayLoad, 'url' | 'headers' | 'body'>): Promise<GatewayTimes>
  close(): Promise<void>
}

const path = '/v1/chat/completions'

/** The CPUs that each may use, such as `0,1` or `2-15`; absent: all. */
export type GatewayCpus = { servers?: string | undefined; upstream?: string | undefined; load?: string | undefined }

export const startGatewayProcesses = async (
  signal: AbortSignal,
  {
    hasOthers = true,
    workers = 1,
    cpus = {},
    hands = 1,
  }: {
    hasOthers?: boolean
    workers?: number
    cpus?: GatewayCpus
    /** In how many processes upstream and load are, each: one of them could not do what several workers can. */
    hands?: number
  } = {},
): Promise<GatewayProcesses> => {
  const children: ChildProcess[] = []
  const forkFile = (file: URL, on: string | undefined, ...options: string[]): ChildProcess => {
    const child = startPinned(file, on, options, { signal })
    children.push(child)
    return child
  }
  const startServer = async (file: URL, on: string | undefined, ...options: string[]): Promise<Gateway> => {
    const child = forkFile(file, on, ...options)
    const [port] = await once(child, 'message', { signal })
    return { pid: Number(child.pid), url: `http://127.0.0.1:${port}${path}`, headers: {}, model: 'upstream' }
  }
  const installed = hasOthers ? await installPortkey(signal) : null
  const upstreamFile = new URL('./gateway-upstream.ts', import.meta.url)
  const direct = await startServer(upstreamFile, cpus.upstream, '0', hands > 1 ? 'shared' : 'alone')
  for (let hand = 1; hand < hands; hand += 1)
    await startServer(upstreamFile, cpus.upstream, new URL(direct.url).port, 'shared')
  const upstreamUrl = direct.url.slice(0, -'/chat/completions'.length)
  const helixes: LaunchedHelix[] = []
  const startHelix = async (count: number, settings: Record<string, string> = {}): Promise<Gateway> => {
    const own = {
      HELIX_UPSTREAM_URL: upstreamUrl,
      HELIX_UPSTREAM_MODEL: 'upstream',
      HELIX_ENGINE_SLOTS: '256',
      HELIX_WORKERS: String(count),
    }
    const { pid, url, key, model, ...launched } = await launchHelix(signal, { ...own, ...settings }, cpus.servers)
    helixes.push({ pid, url, key, model, ...launched })
    return { pid, url: url + path, headers: { authorization: `Bearer ${key}` }, model }
  }
  const helix = await startHelix(workers)
  const upstreamPort = String(new URL(upstreamUrl).port)
  const bare = await startServer(new URL('./gateway-bare.ts', import.meta.url), cpus.servers, upstreamPort)
  const loads = Array.from({ length: hands }, () => forkFile(new URL('./gateway-load.ts', import.meta.url), cpus.load))
  const askOf = async (load: ChildProcess, wanted: GatewayLoad): Promise<GatewayTimes> => {
    const done = once(load, 'message', { signal })
    load.send(wanted)
    const [answer] = await done
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer
  }
  return {
    helix,
    startHelix,
    bare,
    portkey:
      installed === null ? null : await startPortkey(installed.program, upstreamUrl, children, signal, cpus.servers),
    direct,
    async startTraced(sampleRatio) {
      if (sampleRatio === null) return startHelix(1)
      const collector = await startServer(new URL('./gateway-collector.ts', import.meta.url), cpus.load)
      return startHelix(1, {
        HELIX_TRACES_ENDPOINT: new URL(collector.url).origin,
        HELIX_TRACES_SAMPLE_RATIO: String(sampleRatio),
      })
    },
    async ask({ url, headers, model }, kind, options) {
      const messages = [{ role: 'user', content: 'Tell me something about the sea.' }]
      const body = JSON.stringify({ model, messages, max_tokens: 100, ...(kind === 'stream' ? { stream: true } : {}) })
      const { requests, connections = 16 } = options
      const share = (total: number, hand: number): number =>
        Math.floor((total * (hand + 1)) / hands) - Math.floor((total * hand) / hands)
      const shares = loads.map((load, hand) =>
        askOf(load, {
          ...{ url, headers, body, ...options },
          requests: share(requests, hand),
          connections: share(connections, hand),
        }),
      )
      const all = await Promise.all(shares)
      return {
        firstMs: all.flatMap(({ firstMs }) => firstMs),
        totalMs: all.flatMap(({ totalMs }) => totalMs),
        refused: all.reduce((sum, { refused }) => sum + refused, 0),
      }
    },
    async close() {
      for (const launched of helixes) await launched.close()
      for (const child of children) child.kill()
      await installed?.remove()
    },
  }
}

const startPortkey = async (
  program: string,
  upstreamUrl: string,
  children: ChildProcess[],
  signal: AbortSignal,
  cpus: string | undefined,
): Promise<Gateway> => {
  const port = await freePort()
  const [command, ...args] = pinnedCommand([process.execPath, program, `--port=${port}`, '--headless'], cpus)
  const child = spawn(command, args, { stdio: 'ignore', signal })
  children.push(child)
  const headers = {
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': upstreamUrl,
    authorization: 'Bearer none',
  }
  for (;;) {
    signal.throwIfAborted()
    const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
    if (isUp) return { pid: Number(child.pid), url: `http://127.0.0.1:${port}${path}`, headers, model: 'upstream' }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
