import type { StepGate } from './step-gate.ts'

/** How far an engine has come: what it has done does not matter, only that it goes on. */
export type StepProgress = {
  /** Pieces of work that have ended. */
  steps: number
  /** Some piece has begun and not ended. */
  isStepping: boolean
}

/** The same gate, with a count of the work that passed through it. */
export const watchSteps = (gate: StepGate): { step: StepGate; progress(): StepProgress } => {
  let steps = 0
  let running = 0
  return {
    step: (work) =>
      gate(async () => {
        running += 1
        try {
          return await work()
        } finally {
          running -= 1
          steps += 1
        }
      }),
    progress: () => ({ steps, isStepping: running > 0 }),
  }
}
