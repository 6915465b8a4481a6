import { type LongList, longList } from '../../http/json/long-list.ts'
import { type AnswerChoice, type FinishReason, joinParts, type Usage } from '../generation/answer/answer-part.ts'
import { contentLogprobJson, usageJson } from '../openai/answer-shapes.ts'

import type { promptLogprobsJson } from '../openai/prompt-logprobs-json.ts'

/** The JSON of responses. Keys are in the order of the official service. */

/** What all chunks of a response, or its JSON form, have in common. */
export type CompletionHead = { id: string; created: number; model: string; fingerprint: string }

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
  logprobs: { content: LongList; refusal: null } | null
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
    logprobs: logprobs ? { content: longList(() => tokens.values().map(contentLogprobJson)), refusal: null } : null,
    finish_reason: finish.reason,
    ...(tokenIds === null ? {} : { token_ids: tokenIds }),
  }
}

export type CompletionJson = ReturnType<typeof completionJson>

export const completionJson = (
  head: CompletionHead,
  choices: ChoiceJson[],
  usage: Usage,
  extras: {
    metadata: Record<string, string> | null
    promptTokenIds: readonly number[] | null
    promptLogprobs: ReturnType<typeof promptLogprobsJson> | null
  },
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
  ...(extras.promptLogprobs === null ? {} : { prompt_logprobs: extras.promptLogprobs }),
})
