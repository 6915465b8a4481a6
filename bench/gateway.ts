import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { GatewayLoad } from './gateway-load.ts'
import { installPortkey } from './install-portkey.ts'
import { launchHelix } from './launch-helix.ts'
import { ratioSpread, report, spreadOf, takeTurns } from './measure.ts'
import { processCpuUs } from './process-cpu.ts'

/**
 * CPU per request of Helix in front of an upstream, with keys, limits, the ledger and the log, against a bare proxy and, if
 * npm can install it, Portkey's gateway. Upstream and load run in processes of their own; the three take turns.
 */
const rounds = 5
const loads = { json: 1500, stream: 300 }
const mostRatio = 2
const limitMs = 540_000

const signal = AbortSignal.timeout(limitMs)
const children: ChildProcess[] = []
const start = async (file: URL, ...options: string[]): Promise<{ child: ChildProcess; port: number }> => {
  const child = fork(fileURLToPath(file), options, { signal })
  children.push(child)
  const [port] = await once(child, 'message', { signal })
  return { child, port }
}

type Gateway = { pid: number; url: string; headers: Record<string, string>; model: string }

const startPortkey = async (program: string, upstreamPort: number): Promise<Gateway> => {
  const port = await freePort()
  const child = spawn(process.execPath, [program, `--port=${port}`, '--headless'], { stdio: 'ignore', signal })
  children.push(child)
  const url = `http://127.0.0.1:${port}/v1/chat/completions`
  const headers = {
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `http://127.0.0.1:${upstreamPort}/v1`,
    authorization: 'Bearer none',
  }
  for (;;) {
    signal.throwIfAborted()
    const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
    if (isUp) return { pid: Number(child.pid), url, headers, model: 'upstream' }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const load = fork(fileURLToPath(new URL('./gateway-load.ts', import.meta.url)), [], { signal })
children.push(load)

const ask = async (gateway: Gateway, kind: keyof typeof loads, requests: number): Promise<void> => {
  const { url, headers, model } = gateway
  const messages = [{ role: 'user', content: 'Tell me something about the sea.' }]
  const body = JSON.stringify({ model, messages, max_tokens: 100, ...(kind === 'stream' ? { stream: true } : {}) })
  const done = once(load, 'message', { signal })
  load.send({ url, headers, body, requests } satisfies GatewayLoad)
  const [{ error }] = await done
  if (error !== undefined) throw new Error(error)
}

const cpuPerRequestUs = async (gateway: Gateway, kind: keyof typeof loads): Promise<number> => {
  const before = processCpuUs(gateway.pid)
  await ask(gateway, kind, loads[kind])
  return (processCpuUs(gateway.pid) - before) / loads[kind]
}

const portkey = await installPortkey(signal)
const upstream = await start(new URL('./gateway-upstream.ts', import.meta.url))
const helix = await launchHelix(signal, {
  HELIX_UPSTREAM_URL: `http://127.0.0.1:${upstream.port}/v1`,
  HELIX_UPSTREAM_MODEL: 'upstream',
  HELIX_ENGINE_SLOTS: '64',
})
try {
  const bare = await start(new URL('./gateway-bare.ts', import.meta.url), String(upstream.port))
  const path = '/v1/chat/completions'
  const gateways: Record<string, Gateway> = {
    helix: {
      pid: helix.pid,
      url: helix.url + path,
      headers: { authorization: `Bearer ${helix.key}` },
      model: helix.model,
    },
    bare: { pid: Number(bare.child.pid), url: `http://127.0.0.1:${bare.port}${path}`, headers: {}, model: 'upstream' },
    ...(portkey === null ? {} : { portkey: await startPortkey(portkey.program, upstream.port) }),
  }
  for (const kind of ['json', 'stream'] as const) {
    // Portkey answered a stream with 500 when sixteen ran at once.
    const compared = Object.entries(gateways).filter(([name]) => kind === 'json' || name !== 'portkey')
    for (const [, gateway] of compared) await ask(gateway, kind, loads[kind])
    const measures = Object.fromEntries(compared.map(([name, gateway]) => [name, () => cpuPerRequestUs(gateway, kind)]))
    const { helix: ours = [], bare: reference = [], portkey: other } = await takeTurns(rounds, measures)
    const ratio = ratioSpread(ours, reference)
    report({
      bench: 'gateway',
      ratio,
      target: `CPU at most ${mostRatio} times that of a bare proxy`,
      met: ratio.median <= mostRatio,
      rounds,
      figures: {
        kind,
        cpuPerRequestUs: spreadOf(ours, 0),
        bareCpuPerRequestUs: spreadOf(reference, 0),
        portkeyCpuPerRequestUs: other === undefined ? null : spreadOf(other, 0),
        ratioToPortkey: other === undefined ? null : ratioSpread(ours, other),
      },
    })
  }
} finally {
  await helix.close()
  for (const child of children) child.kill()
  await portkey?.remove()
}
