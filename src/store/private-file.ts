import { closeSync, openSync } from 'node:fs'
import { errorCode } from '../base/caught-error.ts'

/**
 * Creates an empty file that only its owner may read, for SQLite to fill: SQLite gives the files beside it the same
 * mode. An existing file is not even opened, because closing any descriptor of a database drops all locks this process
 * has on it.
 */
export const createPrivateFile = (path: string): void => {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}
