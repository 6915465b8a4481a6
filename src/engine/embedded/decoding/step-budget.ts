/** Limits the prompt tokens of a step by time. */
export interface StepBudget {
  /** `isShared`: running answers wait for the step. */
  promptTokens(isShared: boolean): number
  observe(step: { promptTokens: number; tookMs: number }): void
}

/**
 * `sharedMs`: maximum duration of a step with prompts and running answers. Each such step also reads one token of every answer,
 * so with shorter steps the answers run more smoothly while prompts are read, and every prompt waits longer for its first token.
 * On a GPU large steps read more tokens per second: with 100 ms, prompts of a model with 8 billion parameters waited 1.28 times as
 * long as in llama-server, which fills its steps.
 * `aloneMs`: the same without running answers: larger steps are no faster, and aborts and new requests wait for the end of a step.
 */
const cpuTargets = { sharedMs: 400, aloneMs: 250, firstGuessMs: 2 }
const gpuTargets = { sharedMs: 250, aloneMs: 250, firstGuessMs: 0.1 }
/** Steps with fewer tokens measure the fixed cost of a step, not the cost of a token. */
const leastObserved = 32
const newestShare = 0.3

export const createStepBudget = (isOnGpu = false): StepBudget => {
  const { sharedMs, aloneMs, firstGuessMs } = isOnGpu ? gpuTargets : cpuTargets
  let tokenMs = firstGuessMs
  return {
    promptTokens: (isShared) => Math.floor((isShared ? sharedMs : aloneMs) / tokenMs),
    observe({ promptTokens, tookMs }) {
      if (promptTokens < leastObserved) return
      tokenMs += newestShare * (Math.max(0.001, tookMs / promptTokens) - tokenMs)
    },
  }
}
