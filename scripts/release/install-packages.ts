import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Platform } from './platforms.ts'
import { runCommand } from './run-command.ts'

const files = ['package.json', 'package-lock.json', '.npmrc']

/** The production packages of one platform, from the lockfile, on any platform. */
export const installPackages = async (root: string, { os, cpu }: Platform, folder: string): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  for (const file of files) cpSync(join(root, file), join(folder, file))
  const chosen = [`--os=${os}`, `--cpu=${cpu}`, ...(os === 'linux' ? ['--libc=glibc'] : [])]
  // The registry may fail for a moment.
  const patient = ['--fetch-retries=5', '--prefer-offline']
  await runCommand('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund', ...patient, ...chosen], folder)
  for (const file of files) rmSync(join(folder, file))
}
