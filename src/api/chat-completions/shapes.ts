import { createHash } from 'node:crypto'
import { version } from '../../base/version.ts'
import type { ServedModel } from '../../engine/contract.ts'
import { type AnswerChoice, type FinishReason, joinParts, type Usage } from '../generation/answer/answer-part.ts'
import type { ContentLogprob } from '../generation/output/content-logprobs.ts'

/** The JSON of responses. Keys are in the order of the official service. */

/** What all chunks of a response, or its JSON form, have in common. */
export type CompletionHead = { id: string; created: number; model: string; fingerprint: string }

const fingerprints = new WeakMap<ServedModel, string>()

/** Changes when the program or the model changes. */
export const fingerprintOf = (model: ServedModel): string => {
  const known = fingerprints.get(model)
  if (known !== undefined) return known
  const text = JSON.stringify([version, model.id, model.created])
  const fingerprint = `fp_${createHash('sha256').update(text).digest('hex').slice(0, 10)}`
  fingerprints.set(model, fingerprint)
  return fingerprint
}

export const usageJson = ({ promptTokens, cachedTokens, completionTokens, reasoningTokens }: Usage) => ({
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
  prompt_tokens_details: { cached_tokens: cachedTokens, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: reasoningTokens,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
})

/** The official service reports no probability for a token that is not among the twenty most likely. */
const unlikely = -9999
const mostLikely = 20

const tokenJson = (bytes: Uint8Array, logprob: number) => ({
  token: Buffer.from(bytes).toString(),
  logprob,
  bytes: Array.from(bytes),
})

export const contentLogprobJson = ({ bytes, logprob }: ContentLogprob) => ({
  ...tokenJson(bytes, logprob.rank < mostLikely ? logprob.logprob : unlikely),
  top_logprobs: logprob.top.map((likely) => tokenJson(likely.bytes, likely.logprob)),
})

type CallJson = { id: string; type: 'function'; function: { name: string; arguments: string } }

type MessageJson = {
  role: 'assistant'
  content: string | null
  refusal: string | null
  reasoning_content?: string
  tool_calls?: CallJson[]
  function_call?: CallJson['function']
}

export type ChoiceJson = {
  index: number
  message: MessageJson
  logprobs: { content: ReturnType<typeof contentLogprobJson>[]; refusal: null } | null
  finish_reason: FinishReason
  token_ids?: readonly number[]
}

/** `legacy`: a call is written in the older spelling. */
export type ChoiceOptions = { legacy: boolean; logprobs: boolean }

export const choiceJson = (
  { parts, finish, tokenIds }: AnswerChoice,
  index: number,
  { legacy, logprobs }: ChoiceOptions,
): ChoiceJson => {
  const { content, tokens, reasoning, refusal, calls } = joinParts(parts)
  const called = calls.map(
    ({ id, name, arguments: text }): CallJson => ({ id, type: 'function', function: { name, arguments: text } }),
  )
  const [first] = called
  return {
    index,
    message: {
      role: 'assistant',
      content: content === '' && (calls.length > 0 || refusal !== null) ? null : content,
      refusal,
      ...(reasoning === null ? {} : { reasoning_content: reasoning }),
      ...(first === undefined ? {} : legacy ? { function_call: first.function } : { tool_calls: called }),
    },
    logprobs: logprobs ? { content: tokens.map(contentLogprobJson), refusal: null } : null,
    finish_reason: finish.reason,
    ...(tokenIds === null ? {} : { token_ids: tokenIds }),
  }
}

export type CompletionJson = ReturnType<typeof completionJson>

export const completionJson = (
  head: CompletionHead,
  choices: ChoiceJson[],
  usage: Usage,
  extras: { metadata: Record<string, string> | null; promptTokenIds: readonly number[] | null },
) => ({
  id: head.id,
  object: 'chat.completion' as const,
  created: head.created,
  model: head.model,
  choices,
  usage: usageJson(usage),
  service_tier: 'default',
  system_fingerprint: head.fingerprint,
  ...(extras.metadata === null ? {} : { metadata: extras.metadata }),
  ...(extras.promptTokenIds === null ? {} : { prompt_token_ids: extras.promptTokenIds }),
})
