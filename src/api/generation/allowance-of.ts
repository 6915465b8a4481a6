import type { PreparedPrompt } from '../../engine/contract.ts'
import type { CompletionProgress } from '../../http/completion-progress.ts'
import type { TokenReservation } from '../../limits/limiter-contract.ts'
import { type Allowance, createAllowance } from './allowance.ts'
import type { TokenEstimate } from './estimate-tokens.ts'

/** An upstream counts its tokens itself, and applies the limit that it was given. */
export const allowanceOf = (
  reservation: TokenReservation,
  { promptTokens, extensionTokens }: TokenEstimate,
  prompt: Pick<PreparedPrompt, 'promptTokens'>,
  progress: CompletionProgress,
): Allowance => {
  if (prompt.promptTokens === null) return { take: () => true }
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
