import { ApiError } from '../../../base/api-error.ts'
import type { ChatMessage } from '../../../engine/contract.ts'
import { isObject } from '../../../http/schema/containers.ts'
import { Problem } from '../../../http/schema/problem.ts'
import { type Schema, schema } from '../../../http/schema/schema.ts'
import { type Calling, createGrammarSource, decideCalling } from '../../generation/request/calling.ts'
import {
  type AnswerFormat,
  defaultSampling,
  plainRequest,
  type RequestSampling,
  type TranslatedRequest,
} from '../../generation/request/generation-request.ts'
import { type MessagesBody, messagesBody, refuse } from './messages-body.ts'

/** `POST /v1/messages`: validates unknown JSON into a request, or names the path of what is wrong. */
export const messagesRequest: Schema<TranslatedRequest> = schema(messagesBody.json, (value) => {
  if (!isObject(value))
    throw new Problem(() => ApiError.of('invalid_json', { reason: 'The body is not a JSON object.' }))
  const body = messagesBody(value)
  const formatField = body.output_config?.format ? 'output_config.format' : 'output_format'
  const format = readFormat(body, formatField)
  const calling = readCalling(body)
  const prompt = {
    type: 'chat' as const,
    messages: readMessages(body),
    templateVariables: {},
    opening: isBegun(body.messages.at(-1)) ? ('continue' as const) : ('answer' as const),
    keptFromStart: null,
  }
  const fields = { prompt: 'messages', tools: 'tools', format: formatField, topK: 'top_k' }
  return {
    ...plainRequest({ model: body.model, prompt, fields }),
    stream: body.stream ?? false,
    calling,
    format,
    grammar: createGrammarSource({
      offered: body.tools ?? [],
      calling,
      format: format?.source ?? null,
      schemaPath: (index) => `tools[${index}].input_schema`,
    }),
    reasoningEffort: readEffort(body),
    sampling: readSampling(body),
  }
})

const readMessages = ({ system, messages }: MessagesBody): ChatMessage[] =>
  system === undefined || system === null || system === ''
    ? messages
    : [{ role: 'system', content: system }, ...messages]

/** The answer continues the text of a last message of the assistant. */
const isBegun = (last: ChatMessage | undefined): boolean =>
  last?.role === 'assistant' && last.content !== '' && last.toolCalls === undefined

const readCalling = ({ tools, tool_choice }: MessagesBody): Calling | null =>
  decideCalling({
    offered: tools ?? [],
    choice: tool_choice?.choice ?? null,
    parallel: tool_choice?.parallel ?? true,
    paths: { choice: 'tool_choice', list: 'tools', named: 'tool_choice.name' },
  })

const readFormat = ({ output_config, output_format }: MessagesBody, param: string): AnswerFormat | null => {
  const wanted = output_config?.format ?? output_format ?? null
  if (wanted === null) return null
  return { source: { type: 'schema', schema: wanted.schema, strict: false, place: 'output format', param } }
}

/** A model that can think does so unless that is disabled; for others the field has no effect. */
const readEffort = ({ thinking, max_tokens }: MessagesBody): string | null => {
  if (thinking?.type === 'enabled' && thinking.budget_tokens >= max_tokens)
    throw refuse('thinking.budget_tokens', 'it must be less than max_tokens')
  return thinking?.type === 'disabled' ? 'none' : null
}

const readSampling = (body: MessagesBody): RequestSampling => ({
  ...defaultSampling,
  maxTokens: body.max_tokens,
  temperature: body.temperature ?? null,
  topP: body.top_p ?? null,
  topK: body.top_k ?? null,
  stops: body.stop_sequences ?? [],
})
