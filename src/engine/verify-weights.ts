import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FileHash } from './hash-thread.ts'
import type { ModelFile } from './model-folder.ts'
import { ModelRefused } from './model-refused.ts'

/**
 * Reads every file with a known checksum completely; throws `ModelRefused` for the first mismatch. It runs in a
 * separate thread, so loading is not blocked.
 */
export const verifyWeights = async (files: readonly ModelFile[]): Promise<void> => {
  const known = files.filter(({ sha256 }) => sha256 !== null)
  if (known.length === 0) return
  const hashes = await hashFiles(known.map(({ path }) => path))
  known.forEach((file, index) => {
    compare(file, hashes[index])
  })
}

/** The SHA-256 of each file, computed in a separate thread. */
export const hashFiles = async (paths: string[]): Promise<FileHash[]> => {
  const thread = new Worker(new URL('./hash-thread.ts', import.meta.url), {
    name: 'hash',
    execArgv: [],
    workerData: paths,
  })
  const exited = once(thread, 'exit').then(() => {
    throw new ModelRefused('Verification of the weights ended without a result: start Helix again.')
  })
  exited.catch(() => {})
  const [hashes] = await Promise.race([once(thread, 'message'), exited])
  return hashes
}

const compare = ({ path, sha256 }: ModelFile, hash: FileHash | undefined): void => {
  if (hash === undefined || 'code' in hash)
    throw new ModelRefused(`${path} cannot be read (${hash?.code}): restore the file or choose another model.`)
  if (hash.sha256 !== sha256)
    throw new ModelRefused(`${path} is damaged (SHA-256 ${hash.sha256}, expected ${sha256}): restore the file.`)
}
