import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { DataDirectory } from './data-directory.ts'
import { StoreFailure } from './store-failure.ts'

const keyBytes = 32
export const secretKeyFile = 'secrets.key'

/**
 * The key that encrypts the secrets that must be readable again. It is stored beside the database, not in it, so that a
 * copy of the database alone reveals none of them. Created atomically at the first start.
 */
export const loadSecretKey = (directory: DataDirectory, setting: string | null): Buffer =>
  findSecretKey(directory, setting) ?? createKey(join(directory.path, secretKeyFile))

/** That of the setting, or of the data directory; null if there is none yet. */
export const findSecretKey = ({ path }: DataDirectory, setting: string | null): Buffer | null => {
  if (setting !== null) return Buffer.from(setting, 'base64')
  const file = join(path, secretKeyFile)
  const key = readKey(file)
  if (key !== null && key.length !== keyBytes)
    throw new StoreFailure(`The file ${file} is not a Helix key file: restore it from a backup.`)
  return key
}

const readKey = (file: string): Buffer | null => {
  try {
    return Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new StoreFailure(`Cannot read ${file}: ${error instanceof Error ? error.message : error}.`)
  }
}

const createKey = (file: string): Buffer => {
  const key = randomBytes(keyBytes)
  const draft = `${file}.new`
  rmSync(draft, { force: true })
  const descriptor = openSync(draft, 'wx', 0o600)
  writeSync(descriptor, `${key.toString('base64')}\n`)
  fsyncSync(descriptor)
  closeSync(descriptor)
  renameSync(draft, file)
  return key
}
