import { statfs } from 'node:fs/promises'
import type { Finding } from './self-checks.ts'

const gigabyte = 1_000_000_000
/** Below these, the write-ahead log of one busy hour may not fit, and then the next answers. */
const fewBytes = gigabyte
const tooFewBytes = gigabyte / 10

export const checkDisk = async (directory: string): Promise<Finding> => {
  const { bavail, blocks, bsize } = await statfs(directory)
  return judgeFreeSpace(bavail * bsize, blocks * bsize)
}

export const judgeFreeSpace = (freeBytes: number, allBytes: number): Finding => {
  const state = freeBytes < tooFewBytes ? 'failed' : freeBytes < fewBytes ? 'warning' : 'ok'
  return { state, detail: `${gigabytes(freeBytes)} of ${gigabytes(allBytes)} GB are free for the data directory` }
}

const gigabytes = (bytes: number): string => (bytes / gigabyte).toFixed(1)
