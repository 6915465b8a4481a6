/** How many bytes are in use: in all, and by each holder. */
export interface ByteUse {
  total(): number
  of(holder: string): number
  /** These bytes count once in all, and for each of the holders. Negative: they are free again. */
  add(holders: readonly string[], bytes: number): void
}

export const createByteUse = (): ByteUse => {
  const held = new Map<string, number>()
  let totalBytes = 0
  return {
    total: () => totalBytes,
    of: (holder) => held.get(holder) ?? 0,
    add(holders, bytes) {
      totalBytes += bytes
      for (const holder of holders) {
        const sum = (held.get(holder) ?? 0) + bytes
        if (sum === 0) held.delete(holder)
        else held.set(holder, sum)
      }
    },
  }
}
