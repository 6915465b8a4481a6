import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { environment } from '../../src/config/load-config.ts'

/** The real program, `helix serve`, on a data directory that outlives it. */
export type Server = {
  /** `http://127.0.0.1:PORT`; rejects when the process ends before it listens. */
  readonly listening: Promise<string>
  /** Sends SIGKILL and waits for the process to end. */
  kill(): Promise<void>
  /** SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>
  /** SIGSTOP: the process does nothing until it is resumed. */
  pause(): void
  resume(): void
}

type ServerOptions = {
  folder: string
  /** In addition to those that every run has. */
  settings: Record<string, string>
  /** A module loaded before the program that deliberately breaks something in it. */
  fault: string | null
}

export const dataDirOf = (folder: string): string => join(folder, 'data')
const logOf = (folder: string): string => join(folder, 'server.log')
const program = fileURLToPath(new URL('../../src/launch.mjs', import.meta.url))

export const startServer = ({ folder, settings, fault }: ServerOptions): Server => {
  const log = openSync(logOf(folder), 'a')
  const preload = fault === null ? [] : ['--import', fault]
  const child = spawn(process.execPath, [...preload, '--disable-warning=ExperimentalWarning', program, 'serve'], {
    // No user's settings file applies there.
    cwd: folder,
    env: { ...ownEnvironment(), ...commonSettings(folder), ...settings },
    stdio: ['ignore', 'pipe', log],
  })
  closeSync(log)
  const onExit = (): unknown => child.kill('SIGKILL')
  process.once('exit', onExit)
  const exited = once(child, 'exit').then(([code]): number | null => {
    process.off('exit', onExit)
    return code
  })
  const listening = Promise.race([addressIn(child.stdout), exited.then(() => failToStart(folder))])
  // A caller that kills it during startup does not await this.
  listening.catch(() => {})
  return {
    listening,
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    stop() {
      child.kill('SIGTERM')
      return exited
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  }
}

const commonSettings = (folder: string): Record<string, string> => ({
  HELIX_DATA_DIR: dataDirOf(folder),
  HELIX_PORT: '0',
  HELIX_LOG_FORMAT: 'json',
  HELIX_ENGINE_SLOTS: '8',
  HELIX_ORGANISATION_REQUESTS_PER_MINUTE: '0',
  HELIX_ORGANISATION_TOKENS_PER_MINUTE: '0',
  HELIX_ORGANISATION_REQUESTS_IN_FLIGHT: '0',
  // Short, so that answers whose client never returns also end within the run.
  HELIX_RESUME_GRACE_MS: '600',
  // Three micros for a completion token, and fractions for the others.
  HELIX_PRICES: '{"numbered":{"prompt":1.7,"cached":0.3,"completion":3}}',
})

const ownEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment()).filter(([name]) => !name.startsWith('HELIX_')))

const address = / at (https?:\/\/\S+)\/v1 /

const addressIn = (output: Readable | null): Promise<string> =>
  new Promise((resolve) => {
    if (output === null) throw new Error('the output of the server is not a pipe')
    createInterface({ input: output }).on('line', (line) => {
      const [, url] = address.exec(line) ?? []
      if (url !== undefined) resolve(url)
    })
  })

const failToStart = (folder: string): never => {
  const last = readFileSync(logOf(folder), 'utf8').trimEnd().split('\n').slice(-5)
  throw new Error(`the server ended before it listened; its log ends with\n${last.join('\n')}`)
}
