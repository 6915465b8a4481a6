import type { ByteUse } from '../../base/byte-use.ts'
import { clearSharedBytes, createSharedBytes, openSharedByteUse, type SharedBytes } from '../../base/shared-byte-use.ts'

/** What is counted of the memory that requests use. */
export type MemoryUse = {
  bodies: ByteUse
  /** Answers that clients have not received yet. */
  answers: ByteUse
}

/** The memory in which a server and its workers count it together. Plain data, because it travels to them. */
export type SharedMemory = { bodies: SharedBytes; answers: SharedBytes }

/** `workers`: how many there are besides the main thread, whose place is the last. */
export const createSharedMemory = (workers: number): SharedMemory => ({
  bodies: createSharedBytes(workers + 1),
  answers: createSharedBytes(workers + 1),
})

export const openMemoryUse = ({ bodies, answers }: SharedMemory, place: number): MemoryUse => ({
  bodies: openSharedByteUse(bodies, place),
  answers: openSharedByteUse(answers, place),
})

/** A worker is gone, and its requests with it. */
export const clearMemoryUse = ({ bodies, answers }: SharedMemory, place: number): void => {
  clearSharedBytes(bodies, place)
  clearSharedBytes(answers, place)
}
