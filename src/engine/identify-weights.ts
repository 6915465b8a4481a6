import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { errorCode } from '../base/caught-error.ts'
import { ModelRefused } from './model-refused.ts'

/** `sha256`: null without a `model.json`. */
type WeightFile = { path: string; sha256: string | null }

/** A file without a checksum is told from others by its size and by this many parts of it, at equal distances. */
const samples = 64
const sampleBytes = 16_384

/**
 * The `weightsId` of a model: made of the checksums in its `model.json`. Without one it is made of samples, at most 1 MiB of each
 * file, because hashing gigabytes would delay every start. Neither names nor times count, so copies on several nodes have the same.
 */
export const identifyWeights = async (files: readonly WeightFile[]): Promise<string> => {
  const hash = createHash('sha256')
  for (const { path, sha256 } of files) hash.update(`${sha256 ?? (await sampleFile(path))}\n`)
  return hash.digest('hex')
}

const sampleFile = async (path: string): Promise<string> => {
  try {
    await using file = await open(path)
    const { size } = await file.stat()
    const hash = createHash('sha256').update(`${size}\n`)
    const buffer = Buffer.allocUnsafe(sampleBytes)
    // Up to 1 MiB, the parts cover the whole file.
    const count = Math.min(samples, Math.ceil(size / sampleBytes))
    const step = Math.max(0, size - sampleBytes) / Math.max(1, count - 1)
    for (let index = 0; index < count; index += 1) {
      const { bytesRead } = await file.read(buffer, 0, sampleBytes, Math.floor(index * step))
      hash.update(buffer.subarray(0, bytesRead))
    }
    return hash.digest('hex')
  } catch (error) {
    if (errorCode(error) === '') throw error
    throw new ModelRefused(`${path} cannot be read (${errorCode(error)}): check its permissions.`)
  }
}
