import { type ByteUse, createByteUse } from './byte-use.ts'

/** One organisation may hold at most this multiple of the free bytes. */
const timesFree = 8

export type ByteBudget = ReturnType<typeof createByteBudget>
export type ByteLease = NonNullable<ReturnType<ByteBudget['lease']>>

/**
 * A budget of bytes, in memory or on disk, shared by the responses of all organisations. One organisation can use at
 * most eight ninths of it, so that some always remains for others. `use`: what counts them, if other threads do, too.
 */
export const createByteBudget = (limitBytes: number, use: ByteUse = createByteUse()) => {
  const stored = new Map<string, number>()
  const add = (organisationId: string, bytes: number): void => use.add([organisationId], bytes)
  const addStored = (organisationId: string, bytes: number): void => {
    stored.set(organisationId, (stored.get(organisationId) ?? 0) + bytes)
    add(organisationId, bytes)
  }
  const fits = (organisationId: string, moreBytes = 0): boolean => {
    const freeBytes = limitBytes - use.total() - moreBytes
    return freeBytes >= 0 && use.of(organisationId) + moreBytes <= timesFree * freeBytes
  }
  const maxBytes = Math.floor((limitBytes * timesFree) / (timesFree + 1))
  return {
    /** Maximum for one organisation. */
    maxBytes,
    /** Reserves the minimum for one response until the lease ends. Returns null if the organisation cannot have it. */
    lease(organisationId: string, firstBytes: number) {
      if (!fits(organisationId, firstBytes)) return null
      let minBytes = firstBytes
      let leasedBytes = 0
      const hold = (bytes: number): void => {
        add(organisationId, bytes - leasedBytes)
        leasedBytes = bytes
      }
      hold(minBytes)
      return {
        /** Sets the size of the lease, even above the budget. Returns false if it exceeds the budget. */
        resize(bytes: number): boolean {
          hold(Math.max(bytes, minBytes))
          return bytes <= minBytes || fits(organisationId)
        },
        /** Raises the minimum, up to what one organisation may have. Returns false, with nothing changed, if it cannot have it. */
        raise(bytes: number): boolean {
          const raisedBytes = Math.min(bytes, maxBytes)
          if (raisedBytes <= minBytes) return true
          if (!fits(organisationId, Math.max(0, raisedBytes - leasedBytes))) return false
          minBytes = raisedBytes
          hold(Math.max(leasedBytes, minBytes))
          return true
        },
        /** Sets the final size once the response has ended, and releases the rest. */
        shrink: hold,
        /** Ends the lease and counts these bytes as stored until the next `setStored`. */
        commit(bytes: number): void {
          addStored(organisationId, bytes)
          hold(0)
        },
        /** Ends the lease and releases all its bytes. */
        close: (): void => hold(0),
      }
    },
    /** Replaces the stored bytes of each organisation. */
    setStored(bytes: ReadonlyMap<string, number>): void {
      for (const [organisationId, sum] of stored) add(organisationId, -sum)
      stored.clear()
      for (const [organisationId, sum] of bytes) addStored(organisationId, sum)
    },
  }
}
