import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pinnedCommand } from './pinned-command.ts'

/** The real program, `./helix serve`, in a fresh data directory on a free loopback port. */
export type LaunchedHelix = {
  /** When the process was spawned, on this process's own clock. */
  readonly startedMs: number
  readonly pid: number
  readonly url: string
  readonly model: string
  readonly key: string
  /** Waits for the event in the log and returns the time from the start until it was written. */
  reachedMs(event: string): Promise<number>
  /** Waits until the model is loaded and returns the id of the engine process. */
  engineReady(): Promise<number>
  /** The printed link for the first owner. */
  claimUrl(): Promise<string>
  close(): Promise<void>
}

const program = fileURLToPath(new URL('../helix', import.meta.url))

/** With `cpus`, such as `0-7`, on those only. */
export const launchHelix = async (
  signal: AbortSignal,
  settings: NodeJS.ProcessEnv = {},
  cpus?: string,
): Promise<LaunchedHelix> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'helix-bench-'))
  // Runs inside the directory so that no user's settings file applies.
  const options = { cwd: dataDir, signal, env: { ...environmentFor(dataDir), ...settings } }
  const created = await promisify(execFile)(program, ['keys', 'create', '--name', 'bench', '--json'], options)

  const startedMs = performance.now()
  const [command, ...args] = pinnedCommand([program, 'serve'], cpus)
  const server = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(server, 'exit')
  const eventOf = readLog(server.stderr, startedMs)
  const claimed = readClaimUrl(server.stdout)
  const { fields } = await Promise.race([eventOf('listening'), exited.then(failToStart)])
  return {
    startedMs,
    pid: server.pid ?? 0,
    url: String(fields.url),
    model: String(fields.model),
    key: JSON.parse(created.stdout).key,
    reachedMs: async (event) => (await eventOf(event)).atMs,
    engineReady: async () => Number((await eventOf('engine_ready')).fields.pid),
    claimUrl: () => claimed,
    async close() {
      server.kill('SIGTERM')
      await exited
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const environmentFor = (dataDir: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HELIX_'))),
  HELIX_DATA_DIR: dataDir,
  HELIX_PORT: '0',
  HELIX_LOG_FORMAT: 'json',
  HELIX_ORGANISATION_REQUESTS_PER_MINUTE: '0',
  HELIX_ORGANISATION_TOKENS_PER_MINUTE: '0',
  HELIX_ORGANISATION_REQUESTS_IN_FLIGHT: '0',
})

type LogEvent = { atMs: number; fields: Record<string, unknown> }

/** Waits for the first event with this name, including one already written. */
const readLog = (log: Readable, startedMs: number): ((name: string) => Promise<LogEvent>) => {
  const firsts = new Map<string, PromiseWithResolvers<LogEvent>>()
  const first = (name: string): PromiseWithResolvers<LogEvent> => {
    const known = firsts.get(name) ?? Promise.withResolvers<LogEvent>()
    firsts.set(name, known)
    return known
  }
  createInterface({ input: log }).on('line', (line) => {
    const fields = JSON.parse(line)
    first(fields.event).resolve({ atMs: performance.now() - startedMs, fields })
  })
  return (name) => first(name).promise
}

const readClaimUrl = (output: Readable): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string>()
  createInterface({ input: output }).on('line', (line) => {
    const url = /^Claim this server: (\S+)$/.exec(line)?.[1]
    if (url !== undefined) resolve(url)
  })
  return promise
}

const failToStart = (): never => {
  throw new Error('helix stopped before it listened')
}
