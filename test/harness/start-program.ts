import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { systemClock } from '../../src/base/clock.ts'
import { endsWithFile } from './ends-with-file.ts'
import { engineThreads } from './engine-threads.ts'
import { type LineWatch, watchLines } from './line-watch.ts'
import type { LogEvent } from './log-catcher.ts'
import { keepOneClock } from './one-clock.ts'
import { runCommand } from './run-command.ts'
import { bareEnvironment, helixPath } from './run-program.ts'
import { scratchPath } from './scratch-path.ts'

type StartOptions = {
  args?: readonly string[]
  env?: Record<string, string>
  cwd?: string
  /** A new one by default. */
  dataDir?: string
  /** In its own process group, as a terminal starts it. */
  ownGroup?: boolean
  /** The command prefix that runs the program. */
  within?: readonly string[]
  /** The `helix` of another version. */
  helix?: string
}

export type Program = {
  /** `http://127.0.0.1:PORT`, as the program printed it. */
  url: string
  dataDir: string
  pid: number
  stdout: LineWatch
  stderr: LineWatch
  child: ChildProcess
  /** Resolves to the event with that number (1 is the first) among those with these fields. */
  logged(wanted: Partial<LogEvent>, count?: number): Promise<LogEvent>
  /** Resolves to the id of the engine process once the model is loaded. */
  engineReady(): Promise<number>
  createKey(): Promise<string>
  /** Sends the signal and resolves to the exit code; null if the process did not exit by itself. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** `./helix serve` on a free port, as a person starts it. It has printed its address; the model may still be loading. */
export const startProgram = async (options: StartOptions = {}): Promise<Program> => {
  const { args = [], env = {}, cwd = scratchPath(), ownGroup = false, within = [], helix = helixPath } = options
  const dataDir = options.dataDir ?? join(scratchPath(), 'data')
  keepOneClock(dataDir, systemClock)
  const [command = helix, ...words] = [...within, helix, 'serve', '--port', '0', '--data-dir', dataDir, ...args]
  const child = spawn(command, words, {
    cwd,
    env: {
      ...bareEnvironment(),
      HELIX_ENGINE_THREADS: String(engineThreads),
      // No test should wait for a load balancer that is not there. The previous version does not know it.
      ...(helix === helixPath ? { HELIX_SHUTDOWN_DELAY_MS: '0' } : {}),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: ownGroup,
  })
  const exited = once(child, 'exit')
  endsWithFile(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const stdout = watchLines(child.stdout)
  const stderr = watchLines(child.stderr)
  const banner = await stdout
    .find((line) => address.test(line))
    .catch((error) => {
      throw new Error(`${error.message}\n${stderr.lines.join('\n')}`)
    })
  const logged = async (wanted: Partial<LogEvent>, count = 1): Promise<LogEvent> =>
    JSON.parse(await stderr.find((line) => hasFields(line, wanted), count))
  return {
    url: address.exec(banner)?.[1] ?? '',
    dataDir,
    pid: child.pid ?? 0,
    stdout,
    stderr,
    child,
    logged,
    engineReady: async () => Number((await logged({ event: 'engine_ready' })).pid),
    async createKey() {
      const { stdout: json } = await runCommand(['keys', 'create', '--name', 'test', '--json', '--data-dir', dataDir])
      return JSON.parse(json).key
    },
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      const [code] = await exited
      return code
    },
  }
}

const address = / at (https?:\/\/\S+)\/v1 /

const hasFields = (line: string, wanted: Partial<LogEvent>): boolean => {
  if (!line.startsWith('{')) return false
  const event: LogEvent = JSON.parse(line)
  return Object.entries(wanted).every(([name, value]) => event[name] === value)
}
