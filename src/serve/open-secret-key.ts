import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Log } from '../base/log.ts'
import { OperatorError } from '../base/operator-error.ts'
import type { Config } from '../config/settings.ts'
import type { Store } from '../store/contract.ts'
import type { DataDirectory } from '../store/data-directory.ts'
import { findSecretKey, loadSecretKey, secretKeyFile } from '../store/secret-key.ts'

type SecretKeyDependencies = {
  config: Pick<Config, 'secretKey'>
  directory: DataDirectory
  store: Pick<Store, 'secret' | 'nodes'>
  log: Log
}

/**
 * The key that encrypts secrets in the database. All nodes of a cluster need the same one; the database remembers its
 * fingerprint. A single server may have lost its key and goes on with another, as it can with SQLite.
 */
export const openSecretKey = async (dependencies: SecretKeyDependencies): Promise<Uint8Array> => {
  const { config, directory, store, log } = dependencies
  const isShared = store.nodes !== null
  const stored = (await store.secret?.fingerprint()) ?? null
  // A new one would be wrong for certain, and would be in the way when the right one is copied.
  if (isShared && stored !== null && findSecretKey(directory, config.secretKey) === null) throw otherKey(directory)
  const key = loadSecretKey(directory, config.secretKey)
  if (store.secret === null) return key
  const own = keyFingerprint(key)
  if (isShared && (await store.secret.agree(own)) !== own) throw otherKey(directory)
  if (!isShared && stored !== own) {
    if (stored !== null) log.warn('secret_key_changed')
    await store.secret.replace(own)
  }
  return key
}

/** The key cannot be computed from it. */
const keyFingerprint = (key: Uint8Array): string =>
  createHash('sha256').update('helix secret key').update(key).digest('hex')

const otherKey = ({ path }: DataDirectory): OperatorError =>
  new OperatorError(
    `This node needs the secret key of the other nodes: copy ${secretKeyFile} from the data directory of one of them to ${join(path, secretKeyFile)}, or set HELIX_SECRET_KEY to its content on every node.`,
  )
