import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const version = '1.15.2'

/** Portkey's gateway in a temporary directory; null if it cannot be installed, for example without a network. */
export const installPortkey = async (
  signal: AbortSignal,
): Promise<{ program: string; remove(): Promise<void> } | null> => {
  const directory = await mkdtemp(join(tmpdir(), 'helix-bench-portkey-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock']
  try {
    await promisify(execFile)('npm', ['install', '--prefix', directory, ...options, `@portkey-ai/gateway@${version}`], {
      cwd: directory,
      signal,
    })
    return { program: join(directory, 'node_modules/@portkey-ai/gateway/build/start-server.js'), remove }
  } catch {
    await remove()
    return null
  }
}
