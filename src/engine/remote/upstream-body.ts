import { withMember } from '../../base/with-member.ts'
import type {
  AnswerOptions,
  ChatMessage,
  Conversation,
  FunctionTool,
  ResponseFormat,
  Sampling,
  WrittenPrompt,
} from '../contract.ts'
import type { UpstreamDialect } from './upstream-kinds.ts'
import { isWrittenFor, type MessageOptions, messageJson, messagesJson, nameResults } from './upstream-messages.ts'
import {
  jsonPieces,
  type LongBody,
  maxLengthPerTurn,
  numberPieces,
  textPieces,
  writeInTurns,
} from './write-in-turns.ts'

type BodyOptions = { model: string; dialect: UpstreamDialect; fields: ReadonlySet<string>; stream: boolean }

/**
 * The JSON of a request to an upstream. Options that the caller did not set are left out, so that the upstream's own
 * defaults apply. What the upstream does not accept was refused before, except for what Helix does itself.
 */
export const upstreamBody = (
  conversation: Conversation,
  sampling: Sampling,
  options: BodyOptions,
): string | LongBody | Promise<LongBody> => {
  const { written, answer } = conversation
  const { model, dialect } = options
  // Only one of the functions is shown, and all of them are written.
  const isNarrowed = answer?.calling?.mode === 'named' && !dialect.choosesByName
  const own = JSON.stringify({ model, ...optionsJson(conversation, sampling, options) })
  if (written !== undefined && isWrittenFor(written, dialect) && !isNarrowed) return writtenBody(written, own)
  const messages = dialect.namesResults ? nameResults(conversation.messages) : conversation.messages
  const { tools, response_format } = schemasJson(conversation, isNarrowed)
  const more = withMember(withMember(own, 'tools', tools), 'response_format', response_format)
  if (messagesLength(messages) + more.length > maxLengthPerTurn)
    return writeInTurns(bodyPieces(messages, dialect, more), conversation.ownerId)
  return `{"messages":${messagesJson(messages, dialect)},${more.slice(1)}`
}

const writtenBody = ({ json }: WrittenPrompt, own: string): LongBody => {
  const parts = Object.entries(json).flatMap(([name, value], index) =>
    value === null ? [] : [Buffer.from(`${index === 0 ? '{' : ','}"${name}":`), value],
  )
  return [...parts, Buffer.from(`,${own.slice(1)}`)]
}

const messagesLength = (messages: readonly ChatMessage[]): number => {
  let length = 0
  for (const { content, reasoning = '', toolCalls = [] } of messages) {
    length += content.length + reasoning.length
    for (const call of toolCalls) length += call.arguments.length
  }
  return length
}

function* bodyPieces(messages: readonly ChatMessage[], options: MessageOptions, more: string): Generator<string, void> {
  yield '{"messages":['
  for (const [index, message] of messages.entries()) {
    if (index > 0) yield ','
    yield* messagePieces(message, options)
  }
  yield '],'
  yield* jsonPieces(more.slice(1))
}

/** The long texts of a message follow its other members. */
function* messagePieces(message: ChatMessage, options: MessageOptions): Generator<string, void> {
  const { content, reasoning_content, ...others } = messageJson(message, options)
  const texts = Object.entries({ content, reasoning_content })
  const isLong = (value: unknown): value is string => typeof value === 'string' && value.length > maxLengthPerTurn
  const short = Object.fromEntries(texts.filter(([, value]) => !isLong(value)))
  yield JSON.stringify({ ...others, ...short }).slice(0, -1)
  for (const [name, value] of texts) {
    if (!isLong(value)) continue
    yield `,"${name}":`
    yield* textPieces(value)
  }
  yield '}'
}

const optionsJson = (conversation: Conversation, sampling: Sampling, { dialect, fields, stream }: BodyOptions) => {
  const { answer, opening, templateVariables } = conversation
  return {
    ...streamJson(stream, dialect),
    ...samplingJson(sampling, dialect),
    stop: sampling.stops.length === 0 || !fields.has('stop') ? undefined : sampling.stops,
    ...(answer === undefined ? {} : { ...choiceJson(answer.calling, dialect), ...formatJson(answer.format, dialect) }),
    // It has no effect on an upstream that does not accept it.
    reasoning_effort: fields.has('reasoning_effort') ? (answer?.reasoningEffort ?? undefined) : undefined,
    chat_template_kwargs: Object.keys(templateVariables).length === 0 ? undefined : templateVariables,
    ...openingJson(opening, { dialect, fields }),
  }
}

const streamJson = (stream: boolean, { asksForCounts }: UpstreamDialect) => ({
  stream: stream || undefined,
  stream_options: stream && asksForCounts ? { include_usage: true } : undefined,
})

/** The same for a prompt without a template, which goes to the upstream's own `/completions`. */
export const rawPromptBody = (
  prompt: NonNullable<Conversation['rawPrompt']>,
  sampling: Sampling,
  { model, dialect, fields, stream, tenant }: BodyOptions & { tenant: string },
): string | Promise<LongBody> => {
  const own = JSON.stringify({
    model,
    ...streamJson(stream, dialect),
    ...samplingJson(sampling, { ...dialect, maxTokens: 'max_tokens' }),
    stop: sampling.stops.length === 0 || !fields.has('stop') ? undefined : sampling.stops,
    logprobs: sampling.topLogprobs ?? undefined,
    top_logprobs: undefined,
  })
  return prompt.length > maxLengthPerTurn
    ? writeInTurns(rawPieces(prompt, own), tenant)
    : `{"prompt":${JSON.stringify(prompt)},${own.slice(1)}`
}

function* rawPieces(prompt: NonNullable<Conversation['rawPrompt']>, own: string): Generator<string, void> {
  yield '{"prompt":'
  yield* typeof prompt === 'string' ? textPieces(prompt) : numberPieces(prompt)
  yield `,${own.slice(1)}`
}

/** An upstream that continues the last message by itself need not know the fields that ask for it. */
const openingJson = (
  opening: Conversation['opening'],
  { dialect, fields }: Pick<BodyOptions, 'dialect' | 'fields'>,
) => {
  if (opening === 'answer') return {}
  if (dialect.continuesLastMessage && !fields.has('continue_final_message')) return {}
  return { continue_final_message: opening === 'continue' || undefined, add_generation_prompt: false }
}

/** Only what is set: most requests set one or two of them. */
const samplingJson = (
  sampling: Sampling,
  { maxTokens, repetitionPenalty, seed }: UpstreamDialect,
): Record<string, unknown> => {
  const json: Record<string, unknown> = {}
  if (sampling.maxTokens !== null) json[maxTokens] = sampling.maxTokens
  if (sampling.temperature !== null) json.temperature = sampling.temperature
  if (sampling.topP !== null) json.top_p = sampling.topP
  if (sampling.topK !== null) json.top_k = sampling.topK
  if (sampling.minP !== null) json.min_p = sampling.minP
  if (sampling.repetitionPenalty !== null) json[repetitionPenalty] = sampling.repetitionPenalty
  if (sampling.frequencyPenalty) json.frequency_penalty = sampling.frequencyPenalty
  if (sampling.presencePenalty) json.presence_penalty = sampling.presencePenalty
  if (sampling.logitBias.length > 0) json.logit_bias = Object.fromEntries(sampling.logitBias)
  if (sampling.seed !== null) json[seed] = sampling.seed
  if (sampling.stopIds.length > 0) json.stop_token_ids = sampling.stopIds
  if (sampling.minTokens) json.min_tokens = sampling.minTokens
  if (sampling.ignoreEnd) json.ignore_eos = true
  if (sampling.topLogprobs !== null) {
    json.logprobs = true
    json.top_logprobs = sampling.topLogprobs
  }
  return json
}

/** The members that contain schemas, which are JSON text already. */
export const schemasJson = (
  { answer, tools }: Pick<Conversation, 'tools'> & { answer?: AnswerOptions | undefined },
  isNarrowed = false,
) => ({
  tools: answer?.calling ? toolsJson(tools, answer.calling, isNarrowed) : undefined,
  response_format: answer?.format?.type === 'schema' ? schemaFormatJson(answer.format) : undefined,
})

/** `allowed_tools` is known to few upstreams: those that may not be called are not shown instead. */
const toolsJson = (tools: readonly FunctionTool[], { callable, mode }: Calling, isNarrowed: boolean): string => {
  const shown = mode === 'named' && !isNarrowed ? tools : tools.filter(({ name }) => callable.includes(name))
  return `[${shown.map(toolJson).join(',')}]`
}

const toolJson = ({ name, description, parameters, strict }: FunctionTool): string => {
  const fields = JSON.stringify({ name, description: description ?? undefined, strict: strict || undefined })
  return `{"type":"function","function":${withMember(fields, 'parameters', parameters ?? undefined)}}`
}

const schemaFormatJson = ({ name, description, schema, strict }: Extract<ResponseFormat, { type: 'schema' }>): string =>
  `{"type":"json_schema","json_schema":${withMember(JSON.stringify({ name, description, strict }), 'schema', schema)}}`

type Calling = NonNullable<AnswerOptions['calling']>

const choiceJson = (calling: Calling | null, { choosesByName }: UpstreamDialect) => {
  if (calling === null) return {}
  const { callable, mode, parallel } = calling
  const named = choosesByName ? { type: 'function', function: { name: callable[0] } } : 'required'
  return {
    tool_choice: mode === 'named' ? named : mode,
    parallel_tool_calls: parallel || mode === 'named' ? undefined : false,
  }
}

const formatJson = (format: ResponseFormat | null, { objectFormat }: UpstreamDialect) => {
  switch (format?.type) {
    case undefined:
    case 'schema':
      return {}
    case 'object':
      return { response_format: objectFormat }
    case 'regex':
      return { structured_outputs: { regex: format.pattern } }
    case 'choice':
      return { structured_outputs: { choice: format.choices } }
  }
}
