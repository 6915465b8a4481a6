import { lowerPriority } from '../../base/lower-priority.ts'
import { OperatorError } from '../../base/operator-error.ts'
import { serveJobs } from '../../base/serve-jobs.ts'
import { type ImportedConfig, readLitellmConfig } from './litellm-config.ts'

export type LitellmJob = { text: string; currency: string }
/** `problem`: why the file cannot be read. */
export type LitellmOutcome = { config: ImportedConfig } | { problem: string }

/** The thread of `read-litellm-apart.ts`. */
lowerPriority()
serveJobs(({ text, currency }: LitellmJob) => ({ value: outcomeOf(text, currency) }))

const outcomeOf = (text: string, currency: string): LitellmOutcome => {
  try {
    // The server's own secrets must not become the key of an upstream that somebody chose in a browser.
    return { config: readLitellmConfig(text, { environment: null, currency }) }
  } catch (error) {
    if (error instanceof OperatorError) return { problem: error.message }
    throw error
  }
}
