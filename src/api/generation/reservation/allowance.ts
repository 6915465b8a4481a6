import type { PreparedPrompt } from '../../../engine/contract.ts'
import type { TokenReservation } from '../../../limits/limiter-contract.ts'
import type { CompletionProgress } from '../completion-progress.ts'
import type { TokenEstimate } from './estimate-tokens.ts'

/** The tokens reserved for all choices of one answer together. Each token is taken from it before it is emitted. */
export interface Allowance {
  /** Takes one token; false if none is left and no more can be reserved. Returns a promise only if it has to wait. */
  take(): boolean | Promise<boolean>
  /** Takes so many at once if that leaves at least `spare`; otherwise none, and returns false. */
  takeMany(tokens: number, spare: number): boolean
}

type AllowanceOptions = {
  /** What is reserved at the start. */
  tokens: number
  /** How much to reserve at a time; null if the reservation cannot be extended. */
  extensionTokens: number | null
  /** Reserves more; resolves to how much, 0 if a limit allows nothing. */
  extend(tokens: number): Promise<number>
}

export const createAllowance = ({ tokens, extensionTokens, extend }: AllowanceOptions): Allowance => {
  let left = tokens
  let isFinal = extensionTokens === null
  /** Shared by choices that run out at the same time. */
  let extending: Promise<void> | null = null

  const addMore = async (wanted: number): Promise<void> => {
    try {
      const added = await extend(wanted)
      left += added
      if (added === 0) isFinal = true
    } finally {
      extending = null
    }
  }
  const takeLater = async (wanted: number): Promise<boolean> => {
    while (left === 0) {
      if (isFinal) return false
      extending ??= addMore(wanted)
      await extending
    }
    left -= 1
    return true
  }
  return {
    take() {
      if (left > 0) {
        left -= 1
        return true
      }
      return extensionTokens !== null && !isFinal ? takeLater(extensionTokens) : false
    },
    takeMany(tokens, spare) {
      if (left < tokens + spare) return false
      left -= tokens
      return true
    },
  }
}

/** An upstream counts its tokens itself, and applies the limit that it was given. */
export const computeAllowance = (
  reservation: TokenReservation,
  { promptTokens, extensionTokens }: TokenEstimate,
  prompt: Pick<PreparedPrompt, 'promptTokens'>,
  progress: CompletionProgress,
): Allowance => {
  if (prompt.promptTokens === null) return { take: () => true, takeMany: () => true }
  return createAllowance({
    tokens: reservation.reservedTokens - promptTokens,
    extensionTokens,
    async extend(tokens) {
      const added = await reservation.extend(tokens)
      progress.reservedTokens = reservation.reservedTokens
      return added
    },
  })
}
