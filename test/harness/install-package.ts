import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

const apt = '/usr/bin/apt-get'
const runProgram = promisify(execFile)

/** Installs a package of Debian where that is possible: as root, with apt and a network. The caller looks whether it is there now. */
export const installPackage = async (name: string): Promise<void> => {
  if (process.getuid?.() !== 0 || !existsSync(apt)) return
  try {
    const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: 16_777_216 }
    // Another test may be installing something.
    const waiting = ['-o', 'DPkg::Lock::Timeout=120']
    await runProgram(apt, [...waiting, 'update'], options)
    await runProgram(apt, [...waiting, 'install', '--yes', '--no-install-recommends', name], options)
  } catch {
    // No network, or not Debian after all.
  }
}
