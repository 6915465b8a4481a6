import type { ChoiceCounts } from '../output/choice.ts'
import type { Usage } from './answer-part.ts'

/** A prompt is counted once, however many answers it gets. */
export const totalUsage = (counts: readonly ChoiceCounts[], prompts: number): Usage => {
  const [first] = counts
  // Called for every token, and most requests have one choice.
  if (counts.length === 1 && first !== undefined) return { ...first }
  const share = counts.length / prompts
  const total = { promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 }
  for (let from = 0; from < counts.length; from += share) {
    const own = counts.slice(from, from + share)
    total.promptTokens += Math.max(...own.map(({ promptTokens }) => promptTokens))
    total.cachedTokens += Math.min(...own.map(({ cachedTokens }) => cachedTokens))
  }
  for (const { completionTokens, reasoningTokens } of counts) {
    total.completionTokens += completionTokens
    total.reasoningTokens += reasoningTokens
  }
  return total
}
