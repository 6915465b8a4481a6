import type { ServedModel } from '../../../engine/contract.ts'
import type { PromptSize } from '../prompt/prompts.ts'
import type { GenerationRequest } from '../request/generation-request.ts'

/** What is reserved for a request before it is executed. */
export type TokenEstimate = {
  promptTokens: number
  /** For all choices together. */
  completionTokens: number
  /** A limit below `completionTokens`, or a budget with fewer tokens left, lowers the reservation down to this. */
  leastCompletionTokens: number
  /** If fewer tokens are left this minute, those are reserved, down to this number. Absent: the request is refused. */
  enoughCompletionTokens?: number
  /** How much more is reserved at a time while it runs; null if the answer is limited to the reservation. */
  extensionTokens: number | null
}

export type EstimateSettings = {
  /** For each choice of a request without a token limit. */
  answerReservationTokens: number
}

/**
 * An upstream that reports neither its context nor its limit may answer at any length. Most answers stay below this; a larger
 * estimate would prevent small limits from admitting anything.
 */
export const unknownAnswerTokens = 4096

/**
 * The prompt, and for each choice:
 * - with a token limit in the request: that limit, in full. Once it runs, the answer cannot run out of tokens.
 * - without one, if the engine counts tokens: `answerReservationTokens`, at most what fits the context. The reservation is
 *   extended by the same amount whenever it is used up, as far as the limits allow; otherwise the answer ends as if it had
 *   reached its token limit. Reserving the rest of a large context would permanently exceed small limits.
 * - without one, if only the upstream can count: `unknownAnswerTokens`, at most what fits the context. An upstream's answer
 *   cannot be extended while it runs, so the reservation is the upstream's limit too.
 * - with one that may be lowered (`lowerTokenLimit`), if only the upstream can count: as much of it as the minute has left,
 *   but at least `unknownAnswerTokens`. The reservation is the upstream's limit.
 * Without a token limit in the request, or with one that may be lowered, a rate limit below the reservation lowers it, and so
 * does a budget that has less left, down to one token a choice.
 */
export const estimateTokens = (
  { sampling: { maxTokens, mayLowerLimit }, n }: Pick<GenerationRequest, 'sampling' | 'n'>,
  { contextTokens }: Pick<ServedModel, 'contextTokens'>,
  { tokens: promptTokens, isExact: isCounted }: PromptSize,
  { answerReservationTokens }: EstimateSettings,
): TokenEstimate => {
  if (maxTokens !== null) {
    const completionTokens = n * maxTokens
    if (mayLowerLimit && !isCounted)
      return {
        promptTokens,
        completionTokens,
        leastCompletionTokens: n,
        enoughCompletionTokens: n * Math.min(maxTokens, unknownAnswerTokens),
        extensionTokens: null,
      }
    return { promptTokens, completionTokens, leastCompletionTokens: completionTokens, extensionTokens: null }
  }
  const usual = isCounted ? answerReservationTokens : unknownAnswerTokens
  const left = contextTokens === null ? usual : Math.max(1, contextTokens - promptTokens)
  return {
    promptTokens,
    completionTokens: n * Math.min(usual, left),
    leastCompletionTokens: n,
    extensionTokens: isCounted ? n * answerReservationTokens : null,
  }
}
