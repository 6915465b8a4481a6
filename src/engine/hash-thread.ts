import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

/** The worker thread of `verify-weights.ts`: returns the SHA-256 of each file, or why it cannot be read. */
export type FileHash = { sha256: string } | { code: string }

const readBytes = 1 << 20

const hashFile = (path: string, buffer: Buffer): string => {
  const hash = createHash('sha256')
  const file = openSync(path, 'r')
  try {
    for (let length = 1; length > 0; ) {
      length = readSync(file, buffer)
      hash.update(buffer.subarray(0, length))
    }
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}

const hashFiles = (paths: readonly string[]): FileHash[] => {
  const buffer = Buffer.allocUnsafe(readBytes)
  return paths.map((path) => {
    try {
      return { sha256: hashFile(path, buffer) }
    } catch (error) {
      return { code: error instanceof Error && 'code' in error ? String(error.code) : String(error) }
    }
  })
}

parentPort?.postMessage(hashFiles(workerData))
