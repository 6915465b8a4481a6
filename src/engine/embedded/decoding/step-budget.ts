/** Limits the prompt tokens of a step by time. */
export interface StepBudget {
  /** `isShared`: running answers wait for the step. */
  promptTokens(isShared: boolean): number
  observe(step: { promptTokens: number; tookMs: number }): void
}

/** Maximum delay of an answer token caused by other prompts. */
const sharedTargetMs = 100
/** Maximum duration of a step that no answer waits for; aborts and new requests still wait for its end. */
const aloneTargetMs = 250
const firstGuessMs = 2
/** Steps with fewer tokens measure the fixed cost of a step, not the cost of a token. */
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
