import { ApiError } from '../../base/api-error.ts'
import type { Sampling } from '../contract.ts'

/**
 * The token limit that fits, if an upstream refused a request only because of a limit that Helix chose: the upstream's
 * context was not known. Null if the caller chose the limit, or if the message does not state the context and the prompt.
 */
export const fittingLimit = (error: unknown, { maxTokens, isReservedLimit }: Sampling): number | null => {
  if (!isReservedLimit || maxTokens === null) return null
  if (!(error instanceof ApiError) || error.errorName !== 'upstream_context_exceeded') return null
  const [, context] = /maximum context length (?:is|of) (\d{1,9})\b/.exec(error.message) ?? []
  const [, prompt] =
    /\b(\d{1,9}) (?:tokens )?(?:in the (?:messages|prompt)|input tokens|from the input)/.exec(error.message) ?? []
  const left = Number(context) - Number(prompt)
  return left >= 1 && left < maxTokens ? left : null
}
