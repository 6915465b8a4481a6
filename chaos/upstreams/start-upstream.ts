import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Journal } from '../ledger/journal.ts'
import type { FaultEntry } from './journal.ts'

/** An upstream in a process of its own, on a port that it keeps. */
export interface ChaosUpstream {
  readonly name: string
  readonly kind: 'vllm' | 'openai'
  readonly baseUrl: string
  kill(): Promise<void>
  restart(): Promise<void>
  pause(): void
  resume(): void
}

const program = fileURLToPath(new URL('./upstream-process.ts', import.meta.url))

type UpstreamOptions = {
  name: string
  kind: ChaosUpstream['kind']
  seed: number
  journal: Journal<FaultEntry>
}

export const startUpstream = async ({ name, kind, seed, journal }: UpstreamOptions): Promise<ChaosUpstream> => {
  let lives = 0
  const start = async (port: number): Promise<{ child: ChildProcess; port: number }> => {
    lives += 1
    const child = fork(program, [String(port), String(seed + lives), kind], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    // A paused process does not notice that this one has ended.
    const onExit = (): unknown => child.kill('SIGKILL')
    process.once('exit', onExit)
    child.once('exit', () => process.off('exit', onExit))
    if (child.stdout === null) throw new Error('the output of the upstream is not a pipe')
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    journal.write({ event: 'started', upstream: name })
    return { child, port: Number(line) }
  }
  let { child, port } = await start(0)
  const write = (event: FaultEntry['event']): void => journal.write({ event, upstream: name })
  return {
    name,
    kind,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    async kill() {
      write('killed')
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
    async restart() {
      ;({ child, port } = await start(port))
    },
    pause() {
      write('paused')
      child.kill('SIGSTOP')
    },
    resume() {
      write('resumed')
      child.kill('SIGCONT')
    },
  }
}
