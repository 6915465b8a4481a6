import type { PreparedPrompt, ServedModel } from '../../engine/contract.ts'
import type { ReceivedRequest } from './request/read-request.ts'

/** What is reserved for a request before its work begins. */
export type TokenEstimate = {
  promptTokens: number
  /** Of all choices together. */
  completionTokens: number
  /** A limit that is narrower than the above lowers the reservation, down to this. */
  leastCompletionTokens: number
  /** How much more is reserved at a time while it runs. Null: the reservation is all that the answer may take. */
  extensionTokens: number | null
}

export type EstimateSettings = {
  /** For each choice of an answer whose length the client left open. */
  answerReservationTokens: number
}

/**
 * An upstream that tells neither its context nor its own limit may answer at any length. Most answers stay below this; a
 * larger guess would keep small limits from admitting anything.
 */
export const unknownAnswerTokens = 4096

/**
 * The prompt, and for each choice:
 * - the client named a limit: that, in full. The answer cannot fail for want of tokens once it runs.
 * - it named none, and the engine counts its tokens: `answerReservationTokens`, never more than fits the context. The
 *   reservation is extended by as much whenever it is used up, as far as the limits allow; where they do not, the answer
 *   ends as at a token limit of its own. Reserving the rest of a large context would exceed small limits for ever.
 * - it named none, and only an upstream can count: `unknownAnswerTokens`, never more than fits the context. An answer of an
 *   upstream cannot be extended half-way, so the reservation is the limit for the upstream too.
 * Where the client named no limit, a rate limit or budget smaller than the reservation lowers it: to one token a choice.
 */
export const estimateTokens = (
  { sampling: { maxTokens }, n, messagesBytes }: Pick<ReceivedRequest, 'sampling' | 'n' | 'messagesBytes'>,
  { contextTokens }: Pick<ServedModel, 'contextTokens'>,
  prompt: Pick<PreparedPrompt, 'promptTokens'>,
  { answerReservationTokens }: EstimateSettings,
): TokenEstimate => {
  const isCounted = prompt.promptTokens !== null
  const promptTokens = prompt.promptTokens ?? guessTokens(messagesBytes)
  if (maxTokens !== null) {
    const completionTokens = n * maxTokens
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

/** Where only the upstream can count: about four bytes a token in English, three in Japanese, so rather too many. */
const guessTokens = (messagesBytes: number): number => Math.ceil(messagesBytes / 3)
