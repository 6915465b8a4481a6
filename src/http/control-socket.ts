import { createHash } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { OperatorError } from '../base/operator-error.ts'

/** The limit for the address of a Unix socket without its final zero; the smallest of the supported systems. */
const longestPathBytes = 103
const hasPipes = process.platform === 'win32'

/**
 * The socket in the data directory through which commands reach the running server. A relative path may be the shorter
 * one. Windows has named pipes instead, which only their creator can write to.
 */
export const controlSocketPath = (dataDir: string): string => socketPathIn(dataDir, 'helix.sock')

/** The socket through which the threads of a server pass on requests. */
export const workerSocketPath = (dataDir: string): string => socketPathIn(dataDir, 'workers.sock')

const socketPathIn = (dataDir: string, name: string): string => {
  const absolute = join(resolve(dataDir), name)
  if (hasPipes) return `\\\\.\\pipe\\helix-${createHash('sha256').update(absolute).digest('hex').slice(0, 32)}`
  const path = [absolute, relative(process.cwd(), absolute)].find((each) => Buffer.byteLength(each) <= longestPathBytes)
  if (path === undefined)
    throw new OperatorError(
      `HELIX_DATA_DIR: the path ${resolve(dataDir)} is too long to hold a Unix socket; use a shorter path`,
    )
  return path
}

/** Removes what a killed server left behind. The data directory must be locked. */
export const removeStaleSocket = (path: string): void => {
  if (!hasPipes) rmSync(path, { force: true })
}

export const makeSocketPrivate = (path: string): void => {
  if (!hasPipes) chmodSync(path, 0o600)
}
