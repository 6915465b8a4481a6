import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../test/harness/free-port.ts'
import { pinnedCommand } from './pinned-command.ts'

type LaunchedServer = { url: string; pid: number; close(): Promise<void> }

type Launch = {
  program: string
  argumentsOf(port: number): readonly string[]
  /** Added to those of this process. */
  variables?: Readonly<Record<string, string>>
  /** The only ones that it may use. */
  cpus?: string | undefined
}

/** Another program's server on a free port of this machine, once its `/health` answers. */
export const launchHttpServer = async (
  { program, argumentsOf, variables = {}, cpus }: Launch,
  signal: AbortSignal,
): Promise<LaunchedServer> => {
  const port = await freePort()
  const flags = argumentsOf(port)
  const [command, ...args] = pinnedCommand(['env', ...assignments(variables), program, ...flags], cpus)
  const server = spawn(command, args, { signal, stdio: 'ignore' })
  const exited = once(server, 'exit')
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${url}/health`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (server.exitCode !== null) throw new Error(`${program} ended before it was ready: ${flags.join(' ')}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return {
    url,
    pid: server.pid ?? 0,
    async close() {
      server.kill('SIGTERM')
      await exited
    },
  }
}

/** `env` replaces itself by the program, so that the process id is the program's. */
const assignments = (variables: Readonly<Record<string, string>>): string[] =>
  Object.entries(variables).map(([name, value]) => `${name}=${value}`)
