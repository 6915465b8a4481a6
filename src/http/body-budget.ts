import { ApiError } from '../base/api-error.ts'

/**
 * One memory budget for all request bodies in progress, with a share for each client network and each organisation. A body
 * counts with the bytes allocated for it, from its first byte until its response begins: while it arrives, is validated and
 * waits. A request that only declares a long body uses nothing.
 */
export interface BodyBudget {
  /** `owners` are those whose shares it counts towards, each named by one string. */
  open(owners: readonly string[]): BodyClaim
  /** What all bodies use right now. */
  readonly usedBytes: number
}

export interface BodyClaim {
  /** Throws an `ApiError` if a body of this length cannot begin now. Claims nothing. */
  check(bytes: number): void
  /** From now on this body uses this many bytes. Throws an `ApiError` if they do not fit. */
  resize(bytes: number): void
  release(): void
}

export type BodyBudgetOptions = {
  bodyMemoryLimitBytes: number
  bodyMemoryShareBytes: number
  /** A share is at least this large, and the budget at least as large as a share. */
  bodyLimitBytes: number
}

/** Part of the budget is reserved for bodies up to this size: ordinary requests succeed while others fill the rest. */
const smallBytes = 65_536
const reservedShare = 1 / 16

/** It is unknown when other bodies will have been read; most take a fraction of a second. */
const retryAfterMs = 1000

export const createBodyBudget = (options: BodyBudgetOptions): BodyBudget => {
  const shareBytes = Math.max(options.bodyMemoryShareBytes, options.bodyLimitBytes)
  const limitBytes = Math.max(options.bodyMemoryLimitBytes, shareBytes)
  const usedByOwner = new Map<string, number>()
  let usedBytes = 0

  const limitFor = (bytes: number): number => (bytes > smallBytes ? limitBytes * (1 - reservedShare) : limitBytes)
  const check = (owners: readonly string[], bytes: number, own: number): void => {
    const more = bytes - own
    if (owners.some((owner) => (usedByOwner.get(owner) ?? 0) + more > shareBytes))
      throw ApiError.of('body_memory_share', { limitBytes: shareBytes }, { retryAfterMs })
    if (usedBytes + more > limitFor(bytes)) throw ApiError.of('body_memory_full', {}, { retryAfterMs })
  }
  const add = (owners: readonly string[], more: number): void => {
    usedBytes += more
    for (const owner of owners) {
      const used = (usedByOwner.get(owner) ?? 0) + more
      if (used === 0) usedByOwner.delete(owner)
      else usedByOwner.set(owner, used)
    }
  }
  return {
    open(owners) {
      let own = 0
      return {
        check: (bytes) => check(owners, bytes, own),
        resize(bytes) {
          if (bytes > own) check(owners, bytes, own)
          add(owners, bytes - own)
          own = bytes
        },
        release() {
          add(owners, -own)
          own = 0
        },
      }
    },
    get usedBytes() {
      return usedBytes
    },
  }
}

export const unlimitedBodies = (): BodyBudget => {
  const bodyMemoryLimitBytes = Number.POSITIVE_INFINITY
  return createBodyBudget({ bodyMemoryLimitBytes, bodyMemoryShareBytes: bodyMemoryLimitBytes, bodyLimitBytes: 0 })
}
