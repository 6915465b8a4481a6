/**
 * So many bytes for the answers of all organisations together, in memory or on disk. None of them gets so much that the
 * others have nothing left: each may hold at most eight times what is still free, so one alone gets eight ninths of it all,
 * and however many are greedy, who comes next finds room.
 */
export interface ByteBudget {
  /** What one organisation alone can get of it. */
  readonly mostBytes: number
  /** Null when there are not so many left for this organisation. */
  lease(organisationId: string, leastBytes: number): ByteLease | null
  /** What is in use beside the leases, by organisation. */
  setBase(bytes: ReadonlyMap<string, number>): void
  addBase(organisationId: string, bytes: number): void
}

/** The part of one answer. It never holds less than it began with, so that an answer that was begun can go on. */
export interface ByteLease {
  /** Holds so many from now on, whether there is room or not. False when there is not. */
  resize(bytes: number): boolean
  /** The answer has come to its end with so many: gives the rest back. */
  shrink(bytes: number): void
  /** Gives all of it back. Nothing may follow. */
  close(): void
}

const timesFree = 8

export const createByteBudget = (limitBytes: number): ByteBudget => {
  const base = createSums()
  const leased = createSums()
  const fits = (organisationId: string, moreBytes = 0): boolean => {
    const freeBytes = limitBytes - base.total() - leased.total() - moreBytes
    const heldBytes = base.of(organisationId) + leased.of(organisationId) + moreBytes
    return freeBytes >= 0 && heldBytes <= timesFree * freeBytes
  }
  return {
    mostBytes: Math.floor((limitBytes * timesFree) / (timesFree + 1)),
    lease(organisationId, leastBytes) {
      if (!fits(organisationId, leastBytes)) return null
      let heldBytes = 0
      const hold = (bytes: number): void => {
        leased.add(organisationId, bytes - heldBytes)
        heldBytes = bytes
      }
      hold(leastBytes)
      return {
        resize(bytes) {
          hold(Math.max(bytes, leastBytes))
          return bytes <= leastBytes || fits(organisationId)
        },
        shrink: hold,
        close: () => hold(0),
      }
    },
    setBase(bytes) {
      base.clear()
      for (const [organisationId, sum] of bytes) base.add(organisationId, sum)
    },
    addBase: base.add,
  }
}

const createSums = () => {
  const sums = new Map<string, number>()
  let total = 0
  return {
    total: () => total,
    of: (id: string): number => sums.get(id) ?? 0,
    add(id: string, bytes: number): void {
      total += bytes
      const sum = (sums.get(id) ?? 0) + bytes
      if (sum === 0) sums.delete(id)
      else sums.set(id, sum)
    },
    clear(): void {
      sums.clear()
      total = 0
    },
  }
}
