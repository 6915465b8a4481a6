import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as after } from 'node:timers/promises'

type Command = {
  program: string
  args: readonly string[]
  folder: string
  environment: Readonly<Record<string, string | undefined>>
  /** Shows the output at once too. */
  shown: boolean
  signal: AbortSignal
  /** A program that takes longer is ended, and its output says so. The first build of a client in Go takes minutes. */
  limitMs?: number
}

/** `missing`: the program does not exist. `code` is null if a signal ended it. */
export type Outcome = { missing: true } | { missing: false; code: number | null; output: string }

const politeMs = 3000

/**
 * Runs a program and its children to the end. They form one process group, so that an abort ends the whole group by its
 * id, and the terminal's Ctrl-C reaches none of them before us.
 */
export const runCommand = async (command: Command): Promise<Outcome> => {
  const { program, args, folder, environment, shown, signal, limitMs = 20 * 60_000 } = command
  signal.throwIfAborted()
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  const child = spawn(program, args, { cwd: folder, env: environment, stdio, detached: true })
  const kept: Buffer[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      kept.push(chunk)
      if (shown) process.stdout.write(chunk)
    })
  const closed = once(child, 'close').catch((error) => ({ error }))
  const onAbort = () => void endGroup(child.pid, closed)
  signal.addEventListener('abort', onAbort, { once: true })
  const limit = setTimeout(() => {
    kept.push(Buffer.from(`\nended after ${limitMs / 1000} s\n`))
    onAbort()
  }, limitMs)
  const end = await closed
  clearTimeout(limit)
  signal.removeEventListener('abort', onAbort)
  signal.throwIfAborted()
  if (!('error' in end)) return { missing: false, code: end[0], output: Buffer.concat(kept).toString('utf8') }
  if (end.error.code === 'ENOENT') return { missing: true }
  throw end.error
}

const endGroup = async (pid: number | undefined, closed: Promise<unknown>): Promise<void> => {
  if (pid === undefined) return
  sendGroup(pid, 'SIGTERM')
  const ended = await Promise.race([closed.then(() => true), after(politeMs, false)])
  if (!ended) sendGroup(pid, 'SIGKILL')
}

const sendGroup = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has just ended by itself.
  }
}
