import { join, relative, resolve } from 'node:path'
import { OperatorError } from '../base/operator-error.ts'

/** The kernel's limit for the address of a Unix socket, less its closing zero; the smallest of the systems we run on. */
const longestPathBytes = 103

/** The socket in the data directory through which commands reach the running server. A relative path may be the shorter one. */
export const controlSocketPath = (dataDir: string): string => {
  const absolute = join(resolve(dataDir), 'helix.sock')
  const path = [absolute, relative(process.cwd(), absolute)].find((each) => Buffer.byteLength(each) <= longestPathBytes)
  if (path === undefined)
    throw new OperatorError(
      `HELIX_DATA_DIR: the path ${resolve(dataDir)} is too long for a Unix socket in it; use a shorter one`,
    )
  return path
}
