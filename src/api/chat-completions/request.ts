import { ApiError } from '../../base/errors.ts'
import type { ChatMessage } from '../../engine/contract.ts'
import { array, isObject, nullable, object, optional } from '../../http/schema/containers.ts'
import { Problem, unsupportedParameter, wrongType } from '../../http/schema/problem.ts'
import { boolean, decimal, integer, type Schema, string } from '../../http/schema/scalars.ts'
import { message } from './messages.ts'
import { unservedFields } from './unserved-fields.ts'

export type ChatRequest = {
  model: string
  messages: ChatMessage[]
  stream: boolean
  includeUsage: boolean
  /** Null: as many as fit, or the model's own default. */
  maxTokens: number | null
  temperature: number | null
  topP: number | null
  seed: number | null
  stop: string[]
}

const most = Number.MAX_SAFE_INTEGER
const tokenLimit = optional(nullable(integer({ min: 1, max: most })))
const stopText = string({ minLength: 1 })
const stopTexts = array(stopText, { min: 1, max: 4, of: 'strings' })

const stop: Schema<string[]> = (value) => {
  if (value === null) return []
  if (typeof value === 'string') return [stopText(value)]
  if (Array.isArray(value)) return stopTexts(value)
  throw wrongType('one of a string or array of strings', value)
}

/** We never pad events, so `false` asks for what is done anyway. */
const obfuscation: Schema<false> = (value) => {
  if (boolean(value)) throw unsupportedParameter()
  return false
}

const unrecognized = (names: string[]): Problem =>
  new Problem(() =>
    ApiError.of('unrecognized_argument', {
      s: names.length > 1 ? 's' : '',
      names: names
        .slice(0, 10)
        .map((name) => name.slice(0, 64))
        .join(', '),
    }),
  )

const body = object(
  {
    ...unservedFields,
    model: string(),
    messages: array(message, { min: 1 }),
    stream: optional(nullable(boolean)),
    stream_options: optional(
      nullable(object({ include_usage: optional(boolean), include_obfuscation: optional(obfuscation) })),
    ),
    max_tokens: tokenLimit,
    max_completion_tokens: tokenLimit,
    temperature: optional(nullable(decimal({ min: 0, max: 2 }))),
    top_p: optional(nullable(decimal({ min: 0, max: 1 }))),
    seed: optional(nullable(integer({ min: -(2 ** 63), max: 2 ** 63 }))),
    stop: optional(stop),
  },
  unrecognized,
)

/** `POST /v1/chat/completions`: unknown JSON in, a typed request out, or the path of what is wrong. */
export const chatRequest: Schema<ChatRequest> = (value) => {
  if (isObject(value) && value.model === undefined) throw new Problem(() => ApiError.of('missing_model', {}))
  if (!isObject(value)) throw notAnObject()
  const read = body(value)
  const stream = read.stream ?? false
  if (read.stream_options && !stream)
    throw new Problem(() => ApiError.of('stream_options_without_stream', {}, { param: 'stream_options' }))
  const maxTokens = read.max_completion_tokens ?? null
  if (maxTokens !== null && (read.max_tokens ?? null) !== null)
    throw new Problem(() => ApiError.of('conflicting_token_limits', {}, { param: 'max_tokens' }))
  return {
    model: read.model,
    messages: read.messages,
    stream,
    includeUsage: read.stream_options?.include_usage ?? false,
    maxTokens: maxTokens ?? read.max_tokens ?? null,
    temperature: read.temperature ?? null,
    topP: read.top_p ?? null,
    seed: read.seed ?? null,
    stop: read.stop ?? [],
  }
}

const notAnObject = (): Problem =>
  new Problem(() => ApiError.of('invalid_json', { reason: 'The body is not a JSON object.' }))
