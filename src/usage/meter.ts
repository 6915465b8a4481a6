import type { RequestCounts } from '../store/ledger-contract.ts'

/** Adds up the tokens sent for one request, over all its choices. */
export interface Meter {
  readonly counts: Readonly<RequestCounts>
  /**
   * The prompt was read; it counts once, whatever the number of choices. Cached tokens may be known only at the end.
   */
  prompt(promptTokens: number, cachedTokens: number, isEstimated?: boolean): void
  /** How many tokens of one choice have been sent, from its beginning. */
  emitted(choice: number, completionTokens: number, reasoningTokens: number): void
  /** Nothing of it counts. */
  waive(): void
}

export const createMeter = (choices: number, onCount: (counts: Readonly<RequestCounts>) => void): Meter => {
  const counts = { promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0, isEstimated: false }
  const completion = new Array<number>(choices).fill(0)
  const reasoning = new Array<number>(choices).fill(0)
  return {
    counts,
    prompt(promptTokens, cachedTokens, isEstimated = false) {
      counts.promptTokens = promptTokens
      counts.cachedTokens = cachedTokens
      counts.isEstimated = isEstimated
      onCount(counts)
    },
    emitted(choice, completionTokens, reasoningTokens) {
      counts.completionTokens += completionTokens - (completion[choice] ?? 0)
      counts.reasoningTokens += reasoningTokens - (reasoning[choice] ?? 0)
      completion[choice] = completionTokens
      reasoning[choice] = reasoningTokens
      onCount(counts)
    },
    waive() {
      counts.promptTokens = 0
      counts.cachedTokens = 0
      counts.completionTokens = 0
      counts.reasoningTokens = 0
      counts.isEstimated = false
      completion.fill(0)
      reasoning.fill(0)
      onCount(counts)
    },
  }
}
