import type { Outcome } from '../run-command.ts'

/** Nothing is moderated, and no response is in the background, so that it could be cancelled. */
const isRefused = (code: string): boolean => /\bmoderations\b|responses\/\w+\/cancel/.test(code)

/** As the clients report it, and as it is sent. */
const refusal = /Error code: 40\d|\b40\d [A-Z]|^\s*\{"error":/m

/** A completion of nothing, as it is sent and as Node prints it. */
const noText = /"text":\s*""|\btext: ''/

/** What is wrong with the outcome of a sample; null: nothing. */
export const sampleFault = (code: string, outcome: Outcome): string | null => {
  if (outcome.missing) return 'it could not be started'
  const { output } = outcome
  if (isRefused(code)) return refusal.test(output) ? null : `not refused as expected: ${output}`
  if (outcome.code !== 0 || refusal.test(output)) return output
  if (noText.test(output)) return `the completion is empty: ${output}`
  return /^(?:undefined|None|null|<nil>)?$/.test(output.trim()) ? `it printed nothing: ${output}` : null
}
