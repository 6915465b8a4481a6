import { ApiError } from '../../../base/api-error.ts'
import { isObject } from '../../../http/schema/containers.ts'
import { Problem } from '../../../http/schema/problem.ts'
import { type Schema, schema } from '../../../http/schema/schema.ts'
import type { GrammarSource } from '../../generation/compile/grammar-source.ts'
import {
  type Calling,
  createGrammarSource,
  decideCalling,
  type OfferedTool,
  type ToolChoice,
} from '../../generation/request/calling.ts'
import {
  type AnswerFormat,
  type ChatPrompt,
  foldSeed,
  type RequestFields,
  type RequestSampling,
  type TranslatedRequest,
} from '../../generation/request/generation-request.ts'
import { type ChatBody, chatBody } from './body.ts'
import { decideFormat } from './response-format.ts'
import { functionCallPaths, toolChoicePaths } from './tool-choice.ts'

/** What a chat request says about how its answer is written. */
export type ChatOptions = {
  includeUsage: boolean
  /** With `includeUsage`: every chunk says what was used so far. */
  continuousUsage: boolean
  /** Pads events, so that their lengths reveal nothing about the text. */
  obfuscate: boolean
  /** A call is written in the older spelling. */
  legacy: boolean
  /** The conversation has to mention JSON: an instruction is added if it does not. */
  wantsWord: boolean
  metadata: Record<string, string> | null
}

/** `chat`: options that only this endpoint has. */
export type ChatRequest = TranslatedRequest & { prompt: ChatPrompt; chat: ChatOptions }

/**
 * `POST /v1/chat/completions`: validates unknown JSON into a typed request, or names the path of what is wrong. The request
 * is plain data, so that it can come from another thread.
 */
export const chatRequest: Schema<ChatRequest> = schema(chatBody.json, (value) => {
  if (!isObject(value))
    throw new Problem(() => ApiError.of('invalid_json', { reason: 'The body is not a JSON object.' }))
  if (value.model === undefined) throw new Problem(() => ApiError.of('missing_model', {}))
  const body = chatBody(value)
  const stream = body.stream ?? false
  if (body.stream_options && !stream) throw refuse('stream_options_without_stream', 'stream_options')
  const { format, field, wantsWord } = decideFormat(body)
  const { calling, legacy } = readCalling(body)
  return {
    model: body.model,
    prompt: {
      type: 'chat',
      messages: body.messages,
      templateVariables: body.chat_template_kwargs ?? {},
      opening: readOpening(body),
      keptFromStart: null,
    },
    n: body.n ?? 1,
    stream,
    calling,
    format,
    grammar: readGrammar(body, calling, format),
    reasoningEffort: body.reasoning_effort ?? null,
    sampling: readSampling(body),
    returnTokenIds: body.return_token_ids ?? false,
    repeatsPrompts: false,
    store: body.store ?? false,
    fields: requestFields(legacy, field),
    chat: {
      includeUsage: body.stream_options?.include_usage ?? false,
      continuousUsage: body.stream_options?.continuous_usage_stats ?? false,
      obfuscate: body.stream_options?.include_obfuscation ?? false,
      legacy,
      wantsWord,
      metadata: body.metadata ?? null,
    },
  }
})

const readGrammar = (
  { tools, functions }: ChatBody,
  calling: Calling | null,
  format: AnswerFormat | null,
): GrammarSource | null => {
  const offered = tools ?? functions ?? null
  if (offered === null && format === null) return null
  return createGrammarSource({
    offered: offered ?? [],
    calling,
    format: format?.source ?? null,
    schemaPath: (index) => (tools ? `tools[${index}].function.parameters` : `functions[${index}].parameters`),
  })
}

const chatFields: RequestFields = {
  prompt: 'messages',
  tools: 'tools',
  format: 'response_format',
  logprobs: 'logprobs',
  logitBias: 'logit_bias',
  stopIds: 'stop_token_ids',
  minTokens: 'min_tokens',
  ignoreEnd: 'ignore_eos',
  returnTokenIds: 'return_token_ids',
  promptLogprobs: 'prompt_logprobs',
  allowedIds: 'allowed_token_ids',
  logprobIds: 'logprob_token_ids',
  templateVariables: 'chat_template_kwargs',
  continuing: 'continue_final_message',
  opening: 'add_generation_prompt',
  seed: 'seed',
  topK: 'top_k',
  minP: 'min_p',
  repetitionPenalty: 'repetition_penalty',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
}

/** Almost every request has the same names, which need not be copied. */
const requestFields = (legacy: boolean, format: string): RequestFields =>
  legacy || format !== chatFields.format ? { ...chatFields, tools: legacy ? 'functions' : 'tools', format } : chatFields

const refuse = (
  name: 'stream_options_without_stream' | 'conflicting_token_limits' | 'conflicting_openings',
  param: string,
): Problem => new Problem(() => ApiError.of(name, {}, { param }))

type ChatCalling = { calling: Calling | null; legacy: boolean }
const noCalling: ChatCalling = { calling: null, legacy: false }

const readCalling = (body: ChatBody): ChatCalling => {
  const tools = body.tools ?? null
  const functions = body.functions ?? null
  const legacy = functions !== null || isChoice(body.function_call)
  if (legacy && (tools !== null || isChoice(body.tool_choice)))
    throw new Problem(() => ApiError.of('functions_beside_tools', {}, { param: 'functions' }))
  if (tools === null && !legacy && !isChoice(body.tool_choice)) return noCalling
  if (legacy) return { calling: legacyCalling(functions ?? [], body.function_call ?? null), legacy }
  const calling = decideCalling({
    offered: tools ?? [],
    choice: body.tool_choice ?? null,
    parallel: body.parallel_tool_calls ?? true,
    paths: toolChoicePaths,
  })
  return { calling, legacy }
}

/** The older spelling has one call, and a finish reason of its own. */
const legacyCalling = (offered: readonly OfferedTool[], choice: ToolChoice | null): Calling | null => {
  const calling = decideCalling({ offered, choice, parallel: false, paths: functionCallPaths })
  return calling === null || calling.named ? calling : { ...calling, finishReason: 'function_call' }
}

/** `none` requests nothing, in either spelling. */
const isChoice = (choice: ToolChoice | null | undefined): boolean =>
  choice !== undefined && choice !== null && choice.mode !== 'none'

const readOpening = (body: ChatBody): ChatPrompt['opening'] => {
  const addPrompt = body.add_generation_prompt
  if (!body.continue_final_message) return addPrompt === false ? 'none' : 'answer'
  if (addPrompt) throw refuse('conflicting_openings', 'continue_final_message')
  return 'continue'
}

const readSampling = (body: ChatBody): RequestSampling => {
  const maxTokens = readMaxTokens(body)
  const minTokens = body.min_tokens ?? 0
  if (maxTokens !== null && minTokens > maxTokens)
    throw new Problem(() =>
      ApiError.of(
        'integer_above_max_value',
        { path: 'min_tokens', maximum: maxTokens, value: minTokens },
        { param: 'min_tokens' },
      ),
    )
  return {
    maxTokens,
    minTokens,
    ignoreEnd: body.ignore_eos ?? false,
    temperature: body.temperature ?? null,
    topP: body.top_p ?? null,
    topK: body.top_k === undefined || body.top_k === null ? null : Math.max(0, body.top_k),
    minP: body.min_p ?? null,
    repetitionPenalty: body.repetition_penalty ?? null,
    frequencyPenalty: body.frequency_penalty ?? 0,
    presencePenalty: body.presence_penalty ?? 0,
    logitBias: body.logit_bias ?? [],
    seed: foldSeed(body.seed),
    stops: body.stop ?? [],
    stopIds: body.stop_token_ids ?? [],
    topLogprobs: readTopLogprobs(body),
    logprobIds: logprobIdsOf(body),
    promptLogprobs: promptLogprobsOf(body),
    allowedIds: body.allowed_token_ids ?? null,
  }
}

const readMaxTokens = ({ max_tokens, max_completion_tokens }: ChatBody): number | null => {
  if (typeof max_tokens === 'number' && typeof max_completion_tokens === 'number')
    throw refuse('conflicting_token_limits', 'max_tokens')
  return max_completion_tokens ?? max_tokens ?? null
}

const readTopLogprobs = ({ logprobs, top_logprobs }: ChatBody): number | null => {
  if (logprobs) return top_logprobs ?? 0
  if (typeof top_logprobs === 'number')
    throw new Problem(() => ApiError.of('top_logprobs_without_logprobs', {}, { param: 'top_logprobs' }))
  return null
}

const refuseValue = (path: string, reason: string): Problem =>
  new Problem(() => ApiError.of('refused_value', { path, reason }, { param: path }))

const logprobIdsOf = ({ logprobs, logprob_token_ids }: ChatBody): number[] => {
  const ids = logprob_token_ids ?? []
  if (ids.length > 0 && !logprobs) throw refuseValue('logprob_token_ids', "it is only allowed when 'logprobs' is true")
  return ids
}

const promptLogprobsOf = ({ prompt_logprobs, stream }: ChatBody): number | null => {
  const count = prompt_logprobs ?? null
  if (count !== null && stream) throw refuseValue('prompt_logprobs', "it is not available when 'stream' is true")
  return count
}
