/** Limits the prompt tokens of a step by time. */
export interface StepBudget {
  /** `isShared`: running answers wait for the step. */
  promptTokens(isShared: boolean): number
  observe(step: { promptTokens: number; tookMs: number }): void
}

/**
 * Maximum duration of a step with prompts and running answers. Each such step also reads one token of every answer, so
 * with shorter steps the answers run more smoothly while prompts are read, and every prompt waits longer for its first token.
 */
const sharedTargetMs = 400
/** The same without running answers: larger steps are no faster, and aborts and new requests wait for the end of a step. */
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
