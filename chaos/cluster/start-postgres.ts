import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as after } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { findPostgres } from '../../test/harness/postgres/find-postgres.ts'
import { unprivilegedUser } from '../../test/harness/postgres/unprivileged-user.ts'
import type { Part } from './part.ts'

export type ChaosPostgres = Part & {
  readonly socketPath: string
  /** As after a failover to a server that is not the primary yet. */
  setReadOnly(isReadOnly: boolean): Promise<void>
  close(): Promise<void>
}

/** What was committed has reached the kernel, and so survives the death of every process of the server. */
const settings = [
  'fsync=off',
  'synchronous_commit=on',
  'full_page_writes=off',
  'max_connections=200',
  'listen_addresses=',
]

/** A PostgreSQL of the run's own, which can be killed, started again on the same data, and paused. */
export const startPostgres = async (): Promise<ChaosPostgres> => {
  const programs = await findPostgres()
  if (programs === null) throw new Error('There is no PostgreSQL: install it.')
  const folder = mkdtempSync(join(tmpdir(), 'helix-pg-'))
  const user = unprivilegedUser()
  if (user !== null) chownSync(folder, user.uid, user.gid)
  const options = { cwd: folder, env: { ...process.env, PGDATA: folder, TZ: 'UTC' }, ...user }
  const created = ['--no-sync', '--no-instructions', '--auth=trust', '--username=postgres', '--encoding=UTF8']
  await promisify(execFile)(join(programs, 'initdb'), [...created, '--locale=C'], options)
  const start = async (): Promise<ChildProcess> => {
    const flags = settings.flatMap((setting) => ['-c', setting])
    const child = spawn(join(programs, 'postgres'), ['-k', folder, ...flags], {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await isReady(child)
    return child
  }
  let child = await start()
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of processesOf(child)) send(pid, name)
  }
  const onExit = (): void => signal('SIGKILL')
  process.once('exit', onExit)
  const kill = async (): Promise<void> => {
    const exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null
    const processes = processesOf(child)
    for (const pid of processes) send(pid, 'SIGKILL')
    await exited
    // The next one must not meet the last one's children.
    while (processes.some((pid) => send(pid, 0))) await after(20)
  }
  return {
    name: 'postgres',
    socketPath: join(folder, '.s.PGSQL.5432'),
    kill,
    async restart() {
      child = await start()
    },
    async setReadOnly(isReadOnly) {
      const client = new pg.Client({ host: folder, user: 'postgres', database: 'postgres' })
      await client.connect()
      await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`)
      await client.query('SELECT pg_reload_conf()')
      await client.end()
    },
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async close() {
      process.off('exit', onExit)
      signal('SIGCONT')
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const isReady = async (child: ChildProcess): Promise<void> => {
  if (child.stderr === null) throw new Error('the output of PostgreSQL is not a pipe')
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line)
    if (line.includes('database system is ready to accept connections')) {
      child.stderr.resume()
      return
    }
  }
  throw new Error(`PostgreSQL does not start: ${lines.join('\n')}`)
}

/** Its own process and those of its connections. */
const processesOf = ({ pid }: ChildProcess): number[] => {
  if (pid === undefined) return []
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    return [
      pid,
      ...children
        .split(' ')
        .filter((text) => text !== '')
        .map(Number),
    ]
  } catch {
    return [pid]
  }
}

const send = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
