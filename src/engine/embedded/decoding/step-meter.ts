import { createStepBudget } from './step-budget.ts'
import { createThreadChoice } from './thread-choice.ts'
import { createThreadReport } from './thread-report.ts'

export type StepMeterOptions = {
  /** The number of cores available to it. */
  threads: number
  /** A GPU computes, which is much faster at prompts. */
  isOnGpu?: boolean
  nowMs: () => number
  /** CPU time of this process so far. */
  cpuMs: () => number
  /** Time that cores of the machine have been idle so far, all together. */
  idleCoreMs?: () => number
  /** Time that threads of this process have waited for a core so far, all together; null if that is not known. */
  waitedMs?: () => number | null
  /** Called when the number of threads in use has changed, at most once a minute. */
  onThreads?: (threads: number) => void
}

/** Measures the steps, and decides how many threads and prompt tokens the next one gets. */
export interface StepMeter {
  /** `isShared`: running answers wait for the step. */
  promptTokens(isShared: boolean): number
  /** Of the last step. */
  tookMs(): number
  /** Returns the number of threads for the step, and what to call if it has succeeded. */
  begin(): { threads: number; end: (promptTokens: number) => void }
}

export const createStepMeter = (options: StepMeterOptions): StepMeter => {
  const { nowMs, cpuMs, onThreads } = options
  const budget = createStepBudget(options.isOnGpu)
  const choice = createThreadChoice(options.threads, options.idleCoreMs, options.waitedMs)
  const report = createThreadReport(options.threads, (threads) => onThreads?.(threads))
  let lastMs = 0
  return {
    promptTokens: budget.promptTokens,
    tookMs: () => lastMs,
    begin() {
      const [startedAtMs, cpuBeforeMs] = [nowMs(), cpuMs()]
      const end = (promptTokens: number): void => {
        lastMs = nowMs() - startedAtMs
        budget.observe({ promptTokens, tookMs: lastMs })
        choice.observe({ tookMs: lastMs, cpuMs: cpuMs() - cpuBeforeMs, nowMs: nowMs() })
        report.observe(choice.threads(), nowMs())
      }
      return { threads: choice.threads(), end }
    },
  }
}
