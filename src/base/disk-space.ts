import type { Clock } from './clock.ts'

type DiskSpaceOptions = {
  /** The free bytes of the disk. Rejects if they are not known. */
  freeBytes(): Promise<number>
  clock: Clock
}

export type DiskLease = { close(): void }

/** Reserves disk space for output that is written only when a long job ends. */
export interface DiskSpace {
  /** Null if the disk does not have that much free space in addition to what is already reserved. */
  reserve(bytes: number): Promise<DiskLease | null>
}

/** Left for the ledger of the running requests and for the write-ahead log. */
const marginBytes = 2_097_152
/** Other programs use the disk too, so the free space is measured again after this time. */
const measureAgainMs = 1_000

export const createDiskSpace = ({ freeBytes, clock }: DiskSpaceOptions): DiskSpace => {
  let reservedBytes = 0
  let free: Promise<number> | null = null
  let measuredMs = 0
  const measure = (): Promise<number> => {
    if (free !== null && clock.monotonicMs() - measuredMs < measureAgainMs) return free
    measuredMs = clock.monotonicMs()
    // If the free space is unknown, only writing shows whether there is enough.
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

/** For data on another machine, whose free space is unknown here. */
export const unknownDiskSpace: DiskSpace = { reserve: async () => ({ close: () => {} }) }
