/** One organisation may hold at most this many times what is still free. */
const timesFree = 8

export type ByteBudget = ReturnType<typeof createByteBudget>
export type ByteLease = NonNullable<ReturnType<ByteBudget['lease']>>

/**
 * A number of bytes, in memory or on disk, that the responses of all organisations share. One organisation alone gets eight
 * ninths of it, and there is always some left for another.
 */
export const createByteBudget = (limitBytes: number) => {
  const held = new Map<string, number>()
  const stored = new Map<string, number>()
  let totalBytes = 0
  const add = (organisationId: string, bytes: number): void => {
    totalBytes += bytes
    const sum = (held.get(organisationId) ?? 0) + bytes
    if (sum === 0) held.delete(organisationId)
    else held.set(organisationId, sum)
  }
  const addStored = (organisationId: string, bytes: number): void => {
    stored.set(organisationId, (stored.get(organisationId) ?? 0) + bytes)
    add(organisationId, bytes)
  }
  const fits = (organisationId: string, moreBytes = 0): boolean => {
    const freeBytes = limitBytes - totalBytes - moreBytes
    return freeBytes >= 0 && (held.get(organisationId) ?? 0) + moreBytes <= timesFree * freeBytes
  }
  return {
    /** The most that one organisation can hold. */
    maxBytes: Math.floor((limitBytes * timesFree) / (timesFree + 1)),
    /** The share of one response. Null if its minimum, which it always keeps, is not available to this organisation. */
    lease(organisationId: string, minBytes: number) {
      if (!fits(organisationId, minBytes)) return null
      let leasedBytes = 0
      const hold = (bytes: number): void => {
        add(organisationId, bytes - leasedBytes)
        leasedBytes = bytes
      }
      hold(minBytes)
      return {
        /** Holds that many from now on, even if they exceed the budget. False if they do. */
        resize(bytes: number): boolean {
          hold(Math.max(bytes, minBytes))
          return bytes <= minBytes || fits(organisationId)
        },
        /** The response has ended with that many: releases the rest. */
        shrink: hold,
        /** That many were stored, and stay in use until `setStored` says otherwise. Ends the lease. */
        commit(bytes: number): void {
          addStored(organisationId, bytes)
          hold(0)
        },
        /** Releases everything. Ends the lease. */
        close: (): void => hold(0),
      }
    },
    /** What is stored, by organisation. */
    setStored(bytes: ReadonlyMap<string, number>): void {
      for (const [organisationId, sum] of stored) add(organisationId, -sum)
      stored.clear()
      for (const [organisationId, sum] of bytes) addStored(organisationId, sum)
    },
  }
}
