import { ApiError } from '../../base/api-error.ts'
import type { Sampling } from '../contract.ts'

/**
 * The token limit that fits, if an upstream refused a request only because of a limit that may be lowered: what it accepts
 * was not known. Null if the limit may not be lowered, or if the message does not state what fits.
 */
export const fittingLimit = (error: unknown, { maxTokens, mayLowerLimit }: Sampling): number | null => {
  if (!mayLowerLimit || maxTokens === null || !(error instanceof ApiError)) return null
  const left = readTokensLeft(error)
  return left >= 1 && left < maxTokens ? left : null
}

const readTokensLeft = (error: ApiError): number => {
  if (error.errorName === 'upstream_refused') return longestAnswer(error.message)
  if (error.errorName !== 'upstream_context_exceeded') return Number.NaN
  const [, context] = /maximum context length (?:is|of) (\d{1,9})\b/.exec(error.message) ?? []
  const [, prompt] =
    /\b(\d{1,9}) (?:tokens )?(?:in the (?:messages|prompt)|input tokens|from the input)/.exec(error.message) ?? []
  return Number(context) - Number(prompt)
}

/** Some models have a limit for the answer alone. Each message names the field and the largest value for it. */
const answerLimits = [
  /supports at most (\d{1,9}) completion tokens/,
  /valid range of max_tokens is \[\d+, ?(\d{1,9})\]/,
  /max_tokens: \d+ > (\d{1,9}), which is the maximum/,
  /max_(?:completion_)?tokens\W+must be less than or equal to \W?(\d{1,9})/,
]

const longestAnswer = (message: string): number => {
  for (const pattern of answerLimits) {
    const [, max] = pattern.exec(message) ?? []
    if (max !== undefined) return Number(max)
  }
  return Number.NaN
}
