import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { freePort } from '../free-port.ts'

export type RedisServer = {
  url: string
  pid: number
  /** Of a cluster's nodes among each other; null outside one. */
  busPort: number | null
  close(): Promise<void>
}

type StartOptions = {
  /** A free one by default; one that was in use for a server that comes back. */
  port?: number
  /** As a node of a Redis cluster that has all slots, or none yet. */
  cluster?: 'alone' | 'empty'
  /** Files with its certificate and key, in place of plain connections. */
  tls?: { cert: string; key: string }
  /** Further options of its command line. */
  settings?: readonly string[]
}

/** Ends the server, by its id, when its standard input ends: also when this process is killed. */
const guard = `"$@" & pid=$!; echo "pid $pid"; trap '' INT TERM; read -r line; kill -CONT $pid; kill -KILL $pid; wait $pid; rm -rf "$DATA"`

/** A Redis of the tests' own, in a folder that goes with it. Nothing is written there. */
export const startRedis = async (program: string, { port, ...options }: StartOptions = {}): Promise<RedisServer> => {
  // Another process may take the port before Redis does.
  for (let attempt = 1; ; attempt += 1) {
    const chosen = port ?? (await freePort())
    const started = await start(program, chosen, options)
    if (typeof started !== 'string') return started
    if (attempt === 5) throw new Error(`Redis does not start: ${started}`)
  }
}

const start = async (program: string, port: number, options: StartOptions): Promise<RedisServer | string> => {
  const { cluster, tls, settings: further = [] } = options
  const folder = mkdtempSync(join(tmpdir(), 'helix-redis-'))
  const busPort = cluster === undefined ? null : await freePort()
  const settings = [
    ...(tls === undefined ? ['--port', String(port)] : tlsSettings(port, tls)),
    ...['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    ...(busPort === null ? [] : ['--cluster-enabled', 'yes', '--cluster-port', String(busPort), ...patient]),
    ...further,
  ]
  const child = spawn('sh', ['-c', guard, 'sh', program, '--dir', folder, '--daemonize', 'no', ...settings], {
    cwd: folder,
    env: { ...process.env, ...realTime, DATA: folder },
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const closed = once(child, 'close')
  const lines: string[] = []
  let pid = 0
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    pid ||= Number(/^pid (\d+)$/.exec(line)?.[1] ?? 0)
    if (/Ready to accept connections|Failed listening|Fatal|exiting/i.test(line)) break
  }
  child.stdout.resume()
  const close = async (): Promise<void> => {
    child.stdin.end()
    await closed
  }
  const url = `${tls === undefined ? 'redis' : 'rediss'}://127.0.0.1:${port}`
  if (!lines.at(-1)?.includes('Ready to accept')) {
    await close()
    return lines.slice(-5).join('\n')
  }
  if (cluster === 'alone') await takeAllSlots(url)
  return { url, pid, busPort, close }
}

/** Redis hangs in its memory allocator under `faketime`, so that its date is the real one where `.ci/test-on-date` moves ours. */
const realTime = { LD_PRELOAD: undefined }

/** Nodes of a busy machine answer each other late. */
const patient = ['--cluster-node-timeout', '60000']

const tlsSettings = (port: number, { cert, key }: { cert: string; key: string }): string[] => [
  ...['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'optional'],
  ...['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert],
]

const takeAllSlots = async (url: string): Promise<void> => {
  const client = createClient({ url })
  await client.connect()
  await client.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', '0', '16383'])
  while (!String(await client.sendCommand(['CLUSTER', 'INFO'])).includes('cluster_state:ok')) await setTimeout(20)
  client.destroy()
}
