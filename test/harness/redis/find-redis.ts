import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const apt = '/usr/bin/apt-get'
const runProgram = promisify(execFile)

/**
 * The path of `redis-server`, or of the program in HELIX_TEST_REDIS; null if there is none. As root, installs Debian's own, while
 * other tests run.
 */
export const findRedis = async (): Promise<string | null> => {
  const { HELIX_TEST_REDIS: chosen } = process.env
  if (chosen?.startsWith('/')) return chosen
  const found = lookUp()
  if (found !== null || process.getuid?.() !== 0 || !existsSync(apt)) return found
  try {
    const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: 16_777_216 }
    const waiting = ['-o', 'DPkg::Lock::Timeout=120']
    await runProgram(apt, [...waiting, 'update'], options)
    await runProgram(apt, [...waiting, 'install', '--yes', '--no-install-recommends', 'redis-server'], options)
  } catch {
    // No network, or not Debian after all: the caller reports that there is no Redis.
  }
  return lookUp()
}

/** Valkey is tried where it is installed and Redis is not. */
const lookUp = (): string | null => {
  const path = ['/usr/bin', ...(process.env.PATH ?? '').split(':')]
  const programs = ['redis-server', 'valkey-server'].flatMap((name) => path.map((folder) => join(folder, name)))
  return programs.find((program) => existsSync(program)) ?? null
}
