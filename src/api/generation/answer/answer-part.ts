import type { EngineEnd, ItemStep, PromptToken, TextPieces, ToolCall } from '../../../engine/contract.ts'
import type { ContentLogprob } from '../output/content-logprobs.ts'

/**
 * What an answer consists of, in the order in which the model wrote it. A stream has many small parts. A whole answer has the
 * same parts, of which those that follow each other are joined: both are the same sequence, so each endpoint writes them by
 * the same rules.
 */
export type AnswerPart =
  /**
   * `prompt`: tokens of the prompt that come before the text, if their log probabilities were requested. `pieces`: the texts of the
   * parts as which it is sent, if they arrived together.
   */
  | { type: 'content'; text: string; tokens: ContentLogprob[]; prompt?: PromptToken[]; pieces?: TextPieces }
  /** `signature`, `isRedacted`: see `ParsedEvent`. */
  | { type: 'reasoning'; text: string; signature?: string; isRedacted?: true }
  | { type: 'refusal'; text: string }
  /** Calls are counted from 0. */
  | { type: 'call'; index: number; id: string; name: string }
  /** Of the call with this index. An upstream may write the arguments of several calls in turns. */
  | { type: 'arguments'; index: number; text: string }
  /** See `ItemStep`. Only answers to requests in the form of the Responses API have them. */
  | { type: 'item'; item: ItemStep }

export type FinishReason = EngineEnd['reason'] | 'tool_calls' | 'function_call'

/** `stopText`: the stop sequence that ended the answer, if one did. `endToken`: see `EngineEnd`. */
export type Finish = { reason: FinishReason; stopText?: string; endToken?: PromptToken }

/** A complete choice. */
export type AnswerChoice = {
  parts: readonly AnswerPart[]
  finish: Finish
  /** Null if they were not requested. */
  tokenIds: readonly number[] | null
}

/** The tokens of an answer, of all its choices together. */
export type Usage = {
  promptTokens: number
  cachedTokens: number
  completionTokens: number
  reasoningTokens: number
}

type JoinedParts = {
  prompt: PromptToken[]
  content: string
  tokens: ContentLogprob[]
  /** Null if the answer has none. */
  reasoning: string | null
  refusal: string | null
  calls: ToolCall[]
}

/** All parts of a kind together, for a message that has one text and does not say what came first. */
export const joinParts = (parts: readonly AnswerPart[]): JoinedParts => {
  const joined: JoinedParts = { prompt: [], content: '', tokens: [], reasoning: null, refusal: null, calls: [] }
  for (const part of parts) {
    if (part.type === 'content') {
      for (const token of part.prompt ?? []) joined.prompt.push(token)
      joined.content += part.text
      for (const token of part.tokens) joined.tokens.push(token)
    } else if (part.type === 'call') joined.calls.push({ id: part.id, name: part.name, arguments: '' })
    else if (part.type === 'arguments') {
      const call = joined.calls[part.index]
      if (call !== undefined) call.arguments += part.text
    } else if (part.type !== 'item') joined[part.type] = (joined[part.type] ?? '') + part.text
  }
  return joined
}
