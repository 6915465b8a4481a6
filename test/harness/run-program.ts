import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { systemClock } from '../../src/base/clock.ts'
import { endsWithFile } from './ends-with-file.ts'
import { keepOneClock } from './one-clock.ts'
import { scratchPath } from './scratch-path.ts'

export const repository = join(import.meta.dirname, '..', '..')
export const helixPath = join(repository, 'helix')

/** The environment of a person without our settings: none of our variables, and only the machine's own programs. */
export const bareEnvironment = (): Record<string, string> => {
  const { PATH = '', HOME = '/' } = process.env
  const path = PATH.split(delimiter).filter((part) => !part.includes('node_modules'))
  // Halves the time of every start after the first one.
  const NODE_COMPILE_CACHE = join(repository, 'node_modules/.cache/compiled-for-tests')
  return { ...placeAndTime(), PATH: path.join(delimiter), HOME, NODE_COMPILE_CACHE }
}

/** The folder for temporary files, the time zone, and the date if the run changes it (`.ci/test-on-date`). */
const placeAndTime = (): Record<string, string> => {
  const kept = Object.entries(process.env).filter(([name]) => /^(TMPDIR|TZ|LD_PRELOAD|FAKETIME.*)$/.test(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']))
}

export type ProgramOptions = {
  env?: Record<string, string>
  /** An empty directory by default. */
  cwd?: string
  /** The whole of standard input. */
  input?: string
  /** A program other than `./helix`. */
  command?: string
}
export type Ended = { code: number | null; stdout: string; stderr: string }

/** Runs a command to its end, as a person does in a terminal. */
export const runProgram = async (args: readonly string[], options: ProgramOptions = {}): Promise<Ended> => {
  const { env = {}, cwd = scratchPath(), input = '', command = helixPath } = options
  const dataDir = args[args.indexOf('--data-dir') + 1]
  if (args.includes('--data-dir') && dataDir !== undefined) keepOneClock(dataDir, systemClock)
  const child = spawn(command, args, { cwd, env: { ...bareEnvironment(), ...env } })
  endsWithFile(() => child.kill('SIGKILL'))
  // A program that ends without reading closes its end of the pipe.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}

export const hasCurl = (await runProgram(['-c', 'command -v curl'], { command: '/bin/sh' })).code === 0
