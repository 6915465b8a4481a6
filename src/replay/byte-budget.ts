/**
 * A number of bytes, in memory or on disk, that the responses of all organisations share. Each organisation may hold at most
 * eight times what is still free: one alone gets eight ninths of the total, and there is always some left for another.
 */
export interface ByteBudget {
  /** The most that one organisation can hold. */
  readonly maxBytes: number
  /** Null if that many are not available to this organisation. */
  lease(organisationId: string, minBytes: number): ByteLease | null
  /** What is in use apart from the leases, by organisation. */
  setStored(bytes: ReadonlyMap<string, number>): void
}

/** The share of one response. It never falls below its minimum, so that a response that was started can continue. */
export interface ByteLease {
  /** Holds that many from now on, even if they exceed the budget. False if they do. */
  resize(bytes: number): boolean
  /** The response has ended with that many: releases the rest. */
  shrink(bytes: number): void
  /** That many were stored: they are in use until `setStored` says otherwise. Ends the lease. */
  commit(bytes: number): void
  /** Releases everything. Ends the lease. */
  close(): void
}

const timesFree = 8

export const createByteBudget = (limitBytes: number): ByteBudget => {
  const stored = createSums()
  const leased = createSums()
  const fits = (organisationId: string, moreBytes = 0): boolean => {
    const freeBytes = limitBytes - stored.total() - leased.total() - moreBytes
    const heldBytes = stored.of(organisationId) + leased.of(organisationId) + moreBytes
    return freeBytes >= 0 && heldBytes <= timesFree * freeBytes
  }
  return {
    maxBytes: Math.floor((limitBytes * timesFree) / (timesFree + 1)),
    lease(organisationId, minBytes) {
      if (!fits(organisationId, minBytes)) return null
      let heldBytes = 0
      const hold = (bytes: number): void => {
        leased.add(organisationId, bytes - heldBytes)
        heldBytes = bytes
      }
      hold(minBytes)
      return {
        resize(bytes) {
          hold(Math.max(bytes, minBytes))
          return bytes <= minBytes || fits(organisationId)
        },
        shrink: hold,
        commit(bytes) {
          stored.add(organisationId, bytes)
          hold(0)
        },
        close: () => hold(0),
      }
    },
    setStored(bytes) {
      stored.clear()
      for (const [organisationId, sum] of bytes) stored.add(organisationId, sum)
    },
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
