import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { installPackage } from '../install-package.ts'

/** The folder of PostgreSQL's programs; null if there is none. As root, installs Debian's own, while other tests run. */
export const findPostgres = async (): Promise<string | null> => {
  const found = lookUp()
  if (found !== null) return found
  await installPackage('postgresql')
  return lookUp()
}

/** The newest version; Debian keeps its programs out of the path. */
const lookUp = (): string | null => {
  const folders = globSync('/usr/lib/postgresql/*/bin').sort((one, two) => versionOf(two) - versionOf(one))
  const path = (process.env.PATH ?? '').split(':')
  return [...folders, ...path].find((folder) => existsSync(join(folder, 'initdb'))) ?? null
}

const versionOf = (folder: string): number => Number(/postgresql\/(\d+)/.exec(folder)?.[1] ?? 0)
