import { ApiError } from '../base/api-error.ts'

/**
 * One budget of memory for all request bodies in progress, and a share of it for each client network and each organisation. A
 * body counts with the bytes that were allocated for it, from its first byte until its answer begins: so it counts while it
 * arrives, is checked and waits, and a head that only declares a long body holds nothing.
 */
export interface BodyBudget {
  /** `parties` are those whose shares count, each named by one text. */
  open(parties: readonly string[]): BodyClaim
  /** What all bodies hold at this moment. */
  readonly heldBytes: number
}

export interface BodyClaim {
  /** Throws an `ApiError` where a body of this length cannot begin now; holds nothing. */
  check(bytes: number): void
  /** From now on this body holds so many bytes. Throws an `ApiError` where they do not fit. */
  hold(bytes: number): void
  release(): void
}

export type BodyBudgetOptions = {
  bodyMemoryLimitBytes: number
  bodyMemoryShareBytes: number
  /** A share is never smaller than one body may be, and the budget never smaller than a share. */
  bodyLimitBytes: number
}

/** What only bodies up to this size may use: ordinary requests pass while others fill the memory. */
const smallBytes = 65_536
const reservedShare = 1 / 16

/** Nobody knows when the others have been read; most take a fraction of a second. */
const retryAfterMs = 1000

export const createBodyBudget = (options: BodyBudgetOptions): BodyBudget => {
  const shareBytes = Math.max(options.bodyMemoryShareBytes, options.bodyLimitBytes)
  const limitBytes = Math.max(options.bodyMemoryLimitBytes, shareBytes)
  const heldBy = new Map<string, number>()
  let heldBytes = 0

  const limitFor = (bytes: number): number => (bytes > smallBytes ? limitBytes * (1 - reservedShare) : limitBytes)
  const check = (parties: readonly string[], bytes: number, own: number): void => {
    const more = bytes - own
    if (parties.some((party) => (heldBy.get(party) ?? 0) + more > shareBytes))
      throw ApiError.of('body_memory_share', { limitBytes: shareBytes }, { retryAfterMs })
    if (heldBytes + more > limitFor(bytes)) throw ApiError.of('body_memory_full', {}, { retryAfterMs })
  }
  const add = (parties: readonly string[], more: number): void => {
    heldBytes += more
    for (const party of parties) {
      const held = (heldBy.get(party) ?? 0) + more
      if (held === 0) heldBy.delete(party)
      else heldBy.set(party, held)
    }
  }
  return {
    open(parties) {
      let own = 0
      return {
        check: (bytes) => check(parties, bytes, own),
        hold(bytes) {
          if (bytes > own) check(parties, bytes, own)
          add(parties, bytes - own)
          own = bytes
        },
        release() {
          add(parties, -own)
          own = 0
        },
      }
    },
    get heldBytes() {
      return heldBytes
    },
  }
}

export const unlimitedBodies = (): BodyBudget => {
  const bodyMemoryLimitBytes = Number.POSITIVE_INFINITY
  return createBodyBudget({ bodyMemoryLimitBytes, bodyMemoryShareBytes: bodyMemoryLimitBytes, bodyLimitBytes: 0 })
}
