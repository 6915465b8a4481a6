import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { documentedBlock } from '../documented-block.ts'
import { installPackage } from '../install-package.ts'
import { unprivilegedUser } from './unprivileged-user.ts'

/** The path of `pgbouncer`; null if there is none. As root, installs Debian's own. */
export const findPgbouncer = async (): Promise<string | null> => {
  const found = lookUp()
  if (found !== null) return found
  await installPackage('pgbouncer')
  return lookUp()
}

/** Debian's is not in the path of everybody. */
const lookUp = (): string | null => {
  const folders = ['/usr/sbin', ...(process.env.PATH ?? '').split(':')]
  return folders.map((folder) => join(folder, 'pgbouncer')).find((program) => existsSync(program)) ?? null
}

export type Pgbouncer = AsyncDisposable & {
  /** The address of the database, through pgbouncer. */
  url: string
}

/** Ends pgbouncer, by its id, when its standard input ends: also when this process is killed. */
const guard = `"$@" & pid=$!; trap '' INT TERM; read -r line; kill -KILL $pid; wait $pid; rm -rf "$DATA"`

/** With the settings of docs/operate/postgresql.md, in front of the database of this address, with so many connections to the server. */
export const startPgbouncer = async (program: string, database: string, poolSize: number): Promise<Pgbouncer> => {
  const { hostname, port, username, password, pathname, searchParams } = new URL(database)
  const folder = mkdtempSync(join(tmpdir(), 'helix-pgb-'))
  const settings = join(folder, 'pgbouncer.ini')
  const login = password === '' ? '' : ` password='${decodeURIComponent(password)}'`
  const server = `host=${searchParams.get('host') ?? hostname} port=${port === '' ? 5432 : port} user=${username}${login}`
  writeFileSync(
    settings,
    `[databases]
* = ${server}
${documentedBlock('docs/operate/postgresql.md', 'ini').replace(/(default_pool_size = )\d+/, `$1${poolSize}`)}
unix_socket_dir = ${folder}
auth_type = any
`,
  )
  const user = unprivilegedUser()
  if (user !== null) for (const path of [folder, settings]) chownSync(path, user.uid, user.gid)
  const child = spawn('sh', ['-c', guard, 'sh', program, settings], {
    cwd: folder,
    env: { ...process.env, DATA: folder },
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
    ...user,
  })
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line)
    if (line.includes('process up')) break
  }
  child.stderr.resume()
  if (!lines.at(-1)?.includes('process up')) {
    child.stdin.end()
    throw new Error(`pgbouncer does not start: ${lines.join('\n')}`)
  }
  return {
    url: `postgres://${username}@localhost:6432${pathname}?host=${encodeURIComponent(folder)}`,
    async [Symbol.asyncDispose]() {
      const closed = once(child, 'close')
      child.stdin.end()
      await closed
    },
  }
}
