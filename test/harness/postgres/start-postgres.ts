import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { unprivilegedUser } from './unprivileged-user.ts'

export type PostgresServer = { url: string; close(): Promise<void> }

type StartOptions = {
  /** As an operator would run it; benchmarks need that. */
  isDurable?: boolean
  /** Further ones, by name. */
  settings?: Readonly<Record<string, string>>
}

/** Tests lose nothing by a power failure, and less is written. */
const fastSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '32MB',
  autovacuum: 'off',
}
const settings = {
  max_connections: '200',
  // In a folder of its own: no port can be taken already.
  listen_addresses: '',
}

/** Ends the server, by its id, when its standard input ends: also when this process is killed. */
const guard = `"$@" >&2 & pid=$!; trap '' INT TERM; read -r line; kill -INT $pid; wait $pid; rm -rf "$PGDATA"`

/** A PostgreSQL of the tests' own, in a folder that goes with it. */
export const startPostgres = async (
  programs: string,
  { isDurable = false, settings: more = {} }: StartOptions = {},
): Promise<PostgresServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'helix-pg-'))
  const user = unprivilegedUser()
  if (user !== null) chownSync(folder, user.uid, user.gid)
  const options = { cwd: folder, env: { ...process.env, PGDATA: folder, TZ: 'UTC' }, ...user }
  const created = ['--no-sync', '--no-instructions', '--auth=trust', '--username=postgres', '--encoding=UTF8']
  await promisify(execFile)(join(programs, 'initdb'), [...created, '--locale=C'], options)

  const chosen = { ...(isDurable ? {} : fastSettings), ...settings, ...more }
  const flags = Object.entries(chosen).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [join(programs, 'postgres'), '-k', folder, ...flags]
  const child = spawn('sh', ['-c', guard, 'sh', ...command], {
    ...options,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const close = async (): Promise<void> => {
    const closed = once(child, 'close')
    child.stdin.end()
    await closed
  }
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line)
    if (line.includes('database system is ready to accept connections')) break
  }
  child.stderr.resume()
  if (!lines.at(-1)?.includes('is ready')) {
    child.stdin.end()
    throw new Error(`PostgreSQL does not start: ${lines.join('\n')}`)
  }
  return { url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`, close }
}
