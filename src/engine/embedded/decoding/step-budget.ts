/** Sizes the slice of prompts in a step by time. */
export interface StepBudget {
  /** `isShared`: answers are being generated, and wait for the step. */
  promptTokens(isShared: boolean): number
  observe(step: { promptTokens: number; tookMs: number }): void
}

/** What a token of an answer may be held up by the prompts of others. */
const sharedTargetMs = 100
/** How long a step may take that nobody waits for: an abort and a new request wait for its end. */
const aloneTargetMs = 250
const firstGuessMs = 2
/** Steps with fewer tokens tell how long a step takes, not a token. */
const leastObserved = 32
const newestShare = 0.3

export const createStepBudget = (): StepBudget => {
  let tokenMs = firstGuessMs
  return {
    promptTokens: (isShared) => Math.floor((isShared ? sharedTargetMs : aloneTargetMs) / tokenMs),
    observe({ promptTokens, tookMs }) {
      if (promptTokens < leastObserved) return
      tokenMs += newestShare * (Math.max(0.001, tookMs / promptTokens) - tokenMs)
    },
  }
}
