import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'

const apt = '/usr/bin/apt-get'

/** The folder of PostgreSQL's programs; null if there is none. As root, installs Debian's own. */
export const findPostgres = (): string | null => {
  const found = lookUp()
  if (found !== null || process.getuid?.() !== 0 || !existsSync(apt)) return found
  try {
    const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
    execFileSync(apt, ['update'], quiet)
    execFileSync(apt, ['install', '--yes', '--no-install-recommends', 'postgresql'], quiet)
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
