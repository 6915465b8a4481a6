import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { ModelFile } from './model-folder.ts'
import { ModelRefused } from './model-refused.ts'

const readBytes = 1 << 20

/** Reads every file with a known checksum to its end; throws `ModelRefused` for the first one that differs. */
export const verifyWeights = async (files: readonly ModelFile[]): Promise<void> => {
  await Promise.all(files.map(verifyFile))
}

const verifyFile = async ({ path, sha256 }: ModelFile): Promise<void> => {
  if (sha256 === null) return
  const actual = await hashFile(path)
  if (actual === sha256) return
  throw new ModelRefused(`${path} is damaged (SHA-256 ${actual}, expected ${sha256}): restore the file.`)
}

const hashFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(path, { highWaterMark: readBytes }), hash)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ModelRefused(`${path} cannot be read (${code}): restore the file or choose another model.`)
  }
  return hash.digest('hex')
}
