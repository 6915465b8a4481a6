import { ApiError } from '../base/api-error.ts'
import { type ByteUse, createByteUse } from '../base/byte-use.ts'

/**
 * One memory budget for all request bodies in progress, with a share for each client network and each organisation. A body
 * counts with the bytes allocated for it, from its first byte until its response begins: while it arrives, is validated and
 * waits. A request that only declares a long body uses nothing.
 */
export interface BodyBudget {
  /** `sharers` are those whose shares it counts towards. */
  open(sharers: readonly BodySharer[]): BodyClaim
  /** What all bodies use right now. */
  readonly usedBytes: number
}

export type BodySharer = { scope: 'owner' | 'address'; id: string }

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

/** `use`: what counts the bodies, if other threads do, too. */
export const createBodyBudget = (options: BodyBudgetOptions, use: ByteUse = createByteUse()): BodyBudget => {
  const shareBytes = Math.max(options.bodyMemoryShareBytes, options.bodyLimitBytes)
  const limitBytes = Math.max(options.bodyMemoryLimitBytes, shareBytes)

  const limitFor = (bytes: number): number => (bytes > smallBytes ? limitBytes * (1 - reservedShare) : limitBytes)
  const check = (sharers: readonly BodySharer[], bytes: number, own: number): void => {
    const more = bytes - own
    for (const sharer of sharers) {
      const used = use.of(holderOf(sharer))
      if (used + more > shareBytes) throw shareUsedUp(sharer, shareBytes, used, more)
    }
    if (use.total() + more > limitFor(bytes)) throw ApiError.of('body_memory_full', {}, { retryAfterMs })
  }
  return {
    open(sharers) {
      const holders = sharers.map(holderOf)
      let own = 0
      return {
        check: (bytes) => check(sharers, bytes, own),
        resize(bytes) {
          if (bytes > own) check(sharers, bytes, own)
          use.add(holders, bytes - own)
          own = bytes
        },
        release() {
          use.add(holders, -own)
          own = 0
        },
      }
    },
    get usedBytes() {
      return use.total()
    },
  }
}

const holderOf = ({ scope, id }: BodySharer): string => `${scope} ${id}`

const shareUsedUp = ({ scope }: BodySharer, limitBytes: number, used: number, requested: number): ApiError => {
  const limit = { name: 'body_bytes_in_flight', scope, limit: limitBytes, used, requested, resetsAt: null }
  return ApiError.of('body_memory_share', { limitBytes }, { retryAfterMs, limit })
}

export const unlimitedBodies = (): BodyBudget => {
  const bodyMemoryLimitBytes = Number.POSITIVE_INFINITY
  return createBodyBudget({ bodyMemoryLimitBytes, bodyMemoryShareBytes: bodyMemoryLimitBytes, bodyLimitBytes: 0 })
}
