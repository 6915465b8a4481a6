import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installPackage } from '../install-package.ts'

/**
 * The path of `redis-server`, or of the program in HELIX_TEST_REDIS; null if there is none. As root, installs Debian's own, while
 * other tests run.
 */
export const findRedis = async (): Promise<string | null> => {
  const { HELIX_TEST_REDIS: chosen } = process.env
  if (chosen?.startsWith('/')) return chosen
  const found = lookUp()
  if (found !== null) return found
  await installPackage('redis-server')
  return lookUp()
}

/** Valkey is tried where it is installed and Redis is not. */
const lookUp = (): string | null => {
  const path = ['/usr/bin', ...(process.env.PATH ?? '').split(':')]
  const programs = ['redis-server', 'valkey-server'].flatMap((name) => path.map((folder) => join(folder, name)))
  return programs.find((program) => existsSync(program)) ?? null
}
