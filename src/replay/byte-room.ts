/** So many bytes for all answers together, in memory or on disk. */
export interface ByteRoom {
  /** Null when there are not so many left. */
  lease(leastBytes: number): ByteLease | null
  /** What is in use beside the leases. */
  setBase(bytes: number): void
  addBase(bytes: number): void
}

/** The part of one answer. It never holds less than it began with, so that an answer that was begun can go on. */
export interface ByteLease {
  /** Holds so many from now on, whether there is room or not. False when there is not. */
  resize(bytes: number): boolean
  /** Gives all of it back. Nothing may follow. */
  close(): void
}

export const createByteRoom = (limitBytes: number): ByteRoom => {
  let baseBytes = 0
  let leasedBytes = 0
  return {
    lease(leastBytes) {
      if (baseBytes + leasedBytes + leastBytes > limitBytes) return null
      let heldBytes = leastBytes
      leasedBytes += leastBytes
      const hold = (bytes: number): void => {
        leasedBytes += bytes - heldBytes
        heldBytes = bytes
      }
      return {
        resize(bytes) {
          hold(Math.max(bytes, leastBytes))
          return bytes <= leastBytes || baseBytes + leasedBytes <= limitBytes
        },
        close: () => hold(0),
      }
    },
    setBase(bytes) {
      baseBytes = bytes
    },
    addBase(bytes) {
      baseBytes += bytes
    },
  }
}
