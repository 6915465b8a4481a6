import { ApiError } from '../../../base/api-error.ts'
import type { ChatMessage } from '../../../engine/contract.ts'
import { isObject } from '../../../http/schema/containers.ts'
import { Problem } from '../../../http/schema/problem.ts'
import { type Schema, schema } from '../../../http/schema/schema.ts'
import { grammarSourceOf } from '../../chat-completions/request/grammar-source-of.ts'
import type { ChatRequest } from '../../chat-completions/request/request.ts'
import type { AnswerFormat } from '../../chat-completions/request/response-format.ts'
import { type Calling, decideCalling } from '../../chat-completions/request/tool-choice.ts'
import { type MessagesBody, messagesBody, refuse } from './messages-body.ts'

/** `POST /v1/messages`: validates unknown JSON into a chat request, or names the path of what is wrong. */
export const messagesRequest: Schema<ChatRequest> = schema(messagesBody.json, (value) => {
  if (!isObject(value))
    throw new Problem(() => ApiError.of('invalid_json', { reason: 'The body is not a JSON object.' }))
  const body = messagesBody(value)
  const format = formatOf(body)
  const calling = callingOf(body)
  const offered = body.tools ?? []
  return {
    model: body.model,
    messages: messagesOf(body),
    n: 1,
    stream: body.stream ?? false,
    includeUsage: false,
    obfuscate: false,
    calling,
    format,
    grammar: grammarSourceOf({ tools: offered }, calling, format.source),
    templateVariables: {},
    opening: isBegun(body.messages.at(-1)) ? 'continue' : 'answer',
    reasoningEffort: effortOf(body),
    sampling: samplingOf(body),
    returnTokenIds: false,
    store: false,
    metadata: null,
  }
})

const messagesOf = ({ system, messages }: MessagesBody): ChatMessage[] =>
  system === undefined || system === null || system === ''
    ? messages
    : [{ role: 'system', content: system }, ...messages]

/** The answer continues the text of a last message of the assistant. */
const isBegun = (last: ChatMessage | undefined): boolean =>
  last?.role === 'assistant' && last.content !== '' && last.toolCalls === undefined

const callingOf = ({ tools, tool_choice }: MessagesBody): Calling | null =>
  decideCalling({
    offered: tools ?? [],
    choice: tool_choice?.choice ?? null,
    parallel: tool_choice?.parallel ?? true,
    legacy: false,
  })

const formatOf = ({ output_config, output_format }: MessagesBody): AnswerFormat => {
  const field = output_config?.format ? 'output_config.format' : 'output_format'
  const wanted = output_config?.format ?? output_format ?? null
  if (wanted === null) return { source: null, field, wantsWord: false }
  const source = { type: 'schema' as const, schema: wanted.schema, strict: false, place: 'output format', param: field }
  return { source, field, wantsWord: false }
}

/** A model that can think does so unless that is disabled; for others the field has no effect. */
const effortOf = ({ thinking, max_tokens }: MessagesBody): ChatRequest['reasoningEffort'] => {
  if (thinking?.type === 'enabled' && thinking.budget_tokens >= max_tokens)
    throw refuse('thinking.budget_tokens', 'it must be less than max_tokens')
  return thinking?.type === 'disabled' ? 'none' : undefined
}

const samplingOf = (body: MessagesBody): ChatRequest['sampling'] => ({
  maxTokens: body.max_tokens,
  minTokens: 0,
  ignoreEnd: false,
  temperature: body.temperature ?? null,
  topP: body.top_p ?? null,
  topK: body.top_k ?? null,
  minP: null,
  repetitionPenalty: null,
  frequencyPenalty: 0,
  presencePenalty: 0,
  logitBias: [],
  seed: null,
  stops: body.stop_sequences ?? [],
  stopIds: [],
  topLogprobs: null,
})
