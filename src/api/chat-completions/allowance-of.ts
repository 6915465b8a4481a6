import type { LogFields } from '../../base/log.ts'
import type { PreparedPrompt } from '../../engine/contract.ts'
import type { Place } from '../../limits/limiter.ts'
import { type Allowance, createAllowance } from './allowance.ts'
import type { MostTokens } from './most-tokens.ts'

/** Only an upstream counts what it sends, and it holds itself to the limit it was given. */
export const allowanceOf = (
  place: Place,
  { promptTokens, extensionTokens }: MostTokens,
  prompt: PreparedPrompt,
  facts: LogFields,
): Allowance => {
  if (prompt.promptTokens === null) return { take: () => true }
  return createAllowance({
    tokens: place.reservedTokens - promptTokens,
    extensionTokens,
    async extend(tokens) {
      const added = await place.extend(tokens)
      facts.reservedTokens = place.reservedTokens
      return added
    },
  })
}
