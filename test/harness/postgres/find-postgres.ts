import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const apt = '/usr/bin/apt-get'
const runProgram = promisify(execFile)

/** The folder of PostgreSQL's programs; null if there is none. As root, installs Debian's own, while other tests run. */
export const findPostgres = async (): Promise<string | null> => {
  const found = lookUp()
  if (found !== null || process.getuid?.() !== 0 || !existsSync(apt)) return found
  try {
    const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: 16_777_216 }
    const waiting = ['-o', 'DPkg::Lock::Timeout=120']
    await runProgram(apt, [...waiting, 'update'], options)
    await runProgram(apt, [...waiting, 'install', '--yes', '--no-install-recommends', 'postgresql'], options)
  } catch {
    // No network, or not Debian after all: the caller reports that there is no PostgreSQL.
  }
  return lookUp()
}

/** The newest version; Debian keeps its programs out of the path. */
const lookUp = (): string | null => {
  const folders = globSync('/usr/lib/postgresql/*/bin').sort((one, two) => versionOf(two) - versionOf(one))
  const path = (process.env.PATH ?? '').split(':')
  return [...folders, ...path].find((folder) => existsSync(join(folder, 'initdb'))) ?? null
}

const versionOf = (folder: string): number => Number(/postgresql\/(\d+)/.exec(folder)?.[1] ?? 0)
