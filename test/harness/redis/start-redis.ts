import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { createClient } from '@redis/client'

export type RedisServer = { url: string; pid: number; close(): Promise<void> }

type StartOptions = {
  /** A free one by default; one that was in use for a server that comes back. */
  port?: number
  /** As one node that has all slots. */
  isCluster?: boolean
}

/** Ends the server, by its id, when its standard input ends: also when this process is killed. */
const guard = `"$@" & pid=$!; echo "pid $pid"; trap '' INT TERM; read -r line; kill -CONT $pid; kill -KILL $pid; wait $pid; rm -rf "$DATA"`

/** A Redis of the tests' own, in a folder that goes with it. Nothing is written there. */
export const startRedis = async (
  program: string,
  { port, isCluster = false }: StartOptions = {},
): Promise<RedisServer> => {
  // Another process may take the port before Redis does.
  for (let attempt = 1; ; attempt += 1) {
    const chosen = port ?? (await freePort())
    const started = await start(program, chosen, isCluster)
    if (typeof started !== 'string') return started
    if (attempt === 5) throw new Error(`Redis does not start: ${started}`)
  }
}

const start = async (program: string, port: number, isCluster: boolean): Promise<RedisServer | string> => {
  const folder = mkdtempSync(join(tmpdir(), 'helix-redis-'))
  const cluster = isCluster ? ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())] : []
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...cluster]
  const child = spawn('sh', ['-c', guard, 'sh', program, '--dir', folder, '--daemonize', 'no', ...settings], {
    cwd: folder,
    env: { ...process.env, DATA: folder },
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
  const url = `redis://127.0.0.1:${port}`
  if (!lines.at(-1)?.includes('Ready to accept')) {
    await close()
    return lines.slice(-5).join('\n')
  }
  if (isCluster) await takeAllSlots(url)
  return { url, pid, close }
}

const takeAllSlots = async (url: string): Promise<void> => {
  const client = createClient({ url })
  await client.connect()
  await client.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', '0', '16383'])
  while (!String(await client.sendCommand(['CLUSTER', 'INFO'])).includes('cluster_state:ok')) await setTimeout(20)
  client.destroy()
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('it listens on a port')
  return address.port
}
