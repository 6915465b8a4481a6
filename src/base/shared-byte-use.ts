import { randomInt } from 'node:crypto'
import type { ByteUse } from './byte-use.ts'

/** The memory in which threads count. Plain data, because it travels to them. */
export type SharedBytes = {
  /** One for each thread, which alone writes to it: all the others only read. */
  rows: readonly SharedArrayBuffer[]
  /** Nobody outside can know which holders are counted together. */
  seeds: readonly [number, number]
}

/** Of each row. The first number is that of all holders. */
const buckets = 16_384
/** The seeds are 32 bits. */
const maxSeed = 2 ** 32

export const createSharedBytes = (threads: number): SharedBytes => ({
  rows: Array.from({ length: threads }, () => new SharedArrayBuffer(buckets * Float64Array.BYTES_PER_ELEMENT)),
  seeds: [randomInt(maxSeed), randomInt(maxSeed)],
})

/** A thread has ended: it uses nothing any more. */
export const clearSharedBytes = ({ rows }: SharedBytes, row: number): void => {
  const memory = rows[row]
  if (memory !== undefined) new Float64Array(memory).fill(0)
}

/**
 * What all threads use, as one of them sees it. A holder is counted in two buckets, and has what the fuller one of them does not
 * have: holders are taken for one another only if they share both. Two threads that add at the same moment may not see each other.
 */
export const openSharedByteUse = ({ rows, seeds }: SharedBytes, row: number): ByteUse => {
  const numbers = rows.map((memory) => new Float64Array(memory))
  const own = numbers[row] ?? new Float64Array(buckets)
  const sum = (bucket: number): number => {
    let bytes = 0
    for (const one of numbers) bytes += one[bucket] ?? 0
    return bytes
  }
  const addTo = (bucket: number, bytes: number): void => {
    own[bucket] = (own[bucket] ?? 0) + bytes
  }
  return {
    total: () => sum(0),
    of: (holder) => Math.min(sum(bucketOf(holder, seeds[0])), sum(bucketOf(holder, seeds[1]))),
    add(holders, bytes) {
      addTo(0, bytes)
      for (const holder of holders) {
        const [first, second] = [bucketOf(holder, seeds[0]), bucketOf(holder, seeds[1])]
        addTo(first, bytes)
        if (second !== first) addTo(second, bytes)
      }
    },
  }
}

/** FNV-1a, whose upper bits depend on everything before. Never 0, which is the sum of all. */
const bucketOf = (holder: string, seed: number): number => {
  let hash = seed
  for (let at = 0; at < holder.length; at += 1) hash = Math.imul(hash ^ holder.charCodeAt(at), 0x01000193)
  return 1 + ((hash >>> 0) % (buckets - 1))
}
