import type { Clock } from './clock.ts'

type DiskSpaceOptions = {
  /** The free bytes of the disk. Rejects if they are not known. */
  freeBytes(): Promise<number>
  clock: Clock
}

export type DiskLease = { close(): void }

/** Space on a disk for what will be written once a long piece of work has ended. */
export interface DiskSpace {
  /** Null if the disk does not have as much beside what is reserved already. */
  reserve(bytes: number): Promise<DiskLease | null>
}

/** Left for the ledger of the running requests and for the write-ahead log. */
const marginBytes = 2_097_152
/** Other programs fill a disk as well. */
const measureAgainMs = 1_000

export const createDiskSpace = ({ freeBytes, clock }: DiskSpaceOptions): DiskSpace => {
  let reservedBytes = 0
  let free: Promise<number> | null = null
  let measuredMs = 0
  const measure = (): Promise<number> => {
    if (free !== null && clock.monotonicMs() - measuredMs < measureAgainMs) return free
    measuredMs = clock.monotonicMs()
    // Where the space is not known, only writing shows whether there is some.
    free = freeBytes().catch(() => Number.POSITIVE_INFINITY)
    return free
  }
  return {
    async reserve(bytes) {
      reservedBytes += bytes
      let isOpen = true
      const close = (): void => {
        if (!isOpen) return
        isOpen = false
        reservedBytes -= bytes
        // What was reserved may have been written by now.
        free = null
      }
      if (reservedBytes + marginBytes <= (await measure())) return { close }
      close()
      return null
    },
  }
}

/** Where the data is on another machine, its space is not known here. */
export const unknownDiskSpace: DiskSpace = { reserve: async () => ({ close: () => {} }) }
