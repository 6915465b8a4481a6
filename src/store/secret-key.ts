import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode, errorMessage } from '../base/caught-error.ts'
import type { DataDirectory } from './data-directory.ts'
import { StoreFailure } from './store-failure.ts'

const keyBytes = 32
export const secretKeyFile = 'secrets.key'
/** The key that `helix secrets rotate` encrypts everything with; then it takes the place of the other one. */
export const nextSecretKeyFile = 'secrets.next.key'

/**
 * The key that encrypts the secrets that must be readable again. It is stored beside the database, not in it, so that a
 * copy of the database alone reveals none of them. Created atomically at the first start.
 */
export const loadSecretKey = (directory: DataDirectory, setting: string | null): Buffer =>
  findSecretKey(directory, setting) ?? createKey(join(directory.path, secretKeyFile))

/** That of the setting, or of the data directory; null if there is none yet. */
export const findSecretKey = ({ path }: DataDirectory, setting: string | null): Buffer | null => {
  if (setting !== null) return Buffer.from(setting, 'base64')
  return readKey(join(path, secretKeyFile))
}

type NextKeySettings = { secretKey: string | null; nextSecretKey: string | null }

/** Null: no rotation has begun. */
export const findNextSecretKey = ({ path }: DataDirectory, settings: NextKeySettings): Buffer | null => {
  if (settings.nextSecretKey !== null) return Buffer.from(settings.nextSecretKey, 'base64')
  return settings.secretKey === null ? readKey(join(path, nextSecretKeyFile)) : null
}

/** On the disk before anything is encrypted with it. */
export const createNextSecretKey = ({ path }: DataDirectory): Buffer => createKey(join(path, nextSecretKeyFile))

/** The next key takes the place of the other one, which is gone then. */
export const promoteNextSecretKey = ({ path }: DataDirectory): void => {
  if (existsSync(join(path, nextSecretKeyFile))) renameSync(join(path, nextSecretKeyFile), join(path, secretKeyFile))
}

const readKey = (file: string): Buffer | null => {
  const key = readText(file)
  if (key !== null && key.length !== keyBytes)
    throw new StoreFailure(`The file ${file} is not a Helix key file: restore it from a backup.`)
  return key
}

const readText = (file: string): Buffer | null => {
  try {
    return Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw new StoreFailure(`Cannot read ${file}: ${errorMessage(error)}.`)
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
