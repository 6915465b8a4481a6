/** Progress of the loop, to detect that it still advances, and for metrics. */
export type StepProgress = {
  /** Number of finished steps. */
  steps: number
  /** A step is in progress. */
  isStepping: boolean
  /** The share of the KV cache that has tokens, also of prompts that have been answered; absent before the first step and without one. */
  cacheUse?: number
}
