import { ApiError } from '../../../base/api-error.ts'
import type { ChatMessage, Sampling } from '../../../engine/contract.ts'
import { isObject } from '../../../http/schema/containers.ts'
import { Problem } from '../../../http/schema/problem.ts'
import { type Schema, schema } from '../../../http/schema/schema.ts'
import type { GrammarSource } from '../../generation/compile/grammar-source.ts'
import { type ChatBody, chatBody } from './body.ts'
import { grammarSourceOf } from './grammar-source-of.ts'
import { type AnswerFormat, decideFormat } from './response-format.ts'
import { type Calling, decideCalling, type ToolChoice } from './tool-choice.ts'

/** A text or token ids. */
export type RawPrompt = string | readonly number[]

export type ChatRequest = {
  model: string
  messages: ChatMessage[]
  /**
   * If the prompt does not fit the context, the oldest messages after so many are left out; never set by chat completions.
   * Without it such a request is refused.
   */
  keptMessages?: number
  /**
   * Continued as they are, without the chat template, each with an equal share of the choices; never set by chat completions.
   * There is a message for each, from which its size is estimated.
   */
  rawPrompts?: readonly RawPrompt[]
  /** Number of choices, of all prompts together. */
  n: number
  stream: boolean
  includeUsage: boolean
  /** Pads events, so that their lengths reveal nothing about the text. */
  obfuscate: boolean
  calling: Calling | null
  format: AnswerFormat
  /** What has to be compiled before generation; null if there is nothing. */
  grammar: GrammarSource | null
  templateVariables: Record<string, unknown>
  opening: 'answer' | 'continue' | 'none'
  reasoningEffort: ChatBody['reasoning_effort']
  /** Everything about tokens; the constraint is added once it is compiled. */
  sampling: Omit<Sampling, 'constraint' | 'withoutText'>
  returnTokenIds: boolean
  store: boolean
  metadata: Record<string, string> | null
}

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
  const format = decideFormat(body)
  const calling = callingOf(body)
  return {
    model: body.model,
    messages: body.messages,
    n: body.n ?? 1,
    stream,
    includeUsage: body.stream_options?.include_usage ?? false,
    obfuscate: body.stream_options?.include_obfuscation ?? false,
    calling,
    format,
    grammar: grammarSourceOf(body, calling, format.source),
    templateVariables: body.chat_template_kwargs ?? {},
    opening: openingOf(body),
    reasoningEffort: body.reasoning_effort,
    sampling: samplingOf(body),
    returnTokenIds: body.return_token_ids ?? false,
    store: body.store ?? false,
    metadata: body.metadata ?? null,
  }
})

const refuse = (
  name: 'stream_options_without_stream' | 'conflicting_token_limits' | 'conflicting_openings',
  param: string,
): Problem => new Problem(() => ApiError.of(name, {}, { param }))

const callingOf = (body: ChatBody): Calling | null => {
  const tools = body.tools ?? null
  const functions = body.functions ?? null
  const legacy = functions !== null || isChoice(body.function_call)
  if (legacy && (tools !== null || isChoice(body.tool_choice)))
    throw new Problem(() => ApiError.of('functions_beside_tools', {}, { param: 'functions' }))
  return decideCalling({
    offered: tools ?? functions ?? [],
    choice: (legacy ? body.function_call : body.tool_choice) ?? null,
    parallel: body.parallel_tool_calls ?? true,
    legacy,
  })
}

/** `none` requests nothing, in either spelling. */
const isChoice = (choice: ToolChoice | null | undefined): boolean =>
  choice !== undefined && choice !== null && choice.mode !== 'none'

const openingOf = (body: ChatBody): ChatRequest['opening'] => {
  const addPrompt = body.add_generation_prompt
  if (!body.continue_final_message) return addPrompt === false ? 'none' : 'answer'
  if (addPrompt) throw refuse('conflicting_openings', 'continue_final_message')
  return 'continue'
}

const samplingOf = (body: ChatBody): ChatRequest['sampling'] => {
  const maxTokens = maxTokensOf(body)
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
    seed: typeof body.seed === 'number' ? foldSeed(body.seed) : null,
    stops: body.stop ?? [],
    stopIds: body.stop_token_ids ?? [],
    topLogprobs: topLogprobsOf(body),
  }
}

const maxTokensOf = ({ max_tokens, max_completion_tokens }: ChatBody): number | null => {
  if (typeof max_tokens === 'number' && typeof max_completion_tokens === 'number')
    throw refuse('conflicting_token_limits', 'max_tokens')
  return max_completion_tokens ?? max_tokens ?? null
}

const topLogprobsOf = ({ logprobs, top_logprobs }: ChatBody): number | null => {
  if (logprobs) return top_logprobs ?? 0
  if (typeof top_logprobs === 'number')
    throw new Problem(() => ApiError.of('top_logprobs_without_logprobs', {}, { param: 'top_logprobs' }))
  return null
}

/** Clients send 64 bits, engines take 32. */
const foldSeed = (seed: number): number => Number(BigInt.asUintN(32, BigInt(seed)))
