import { ApiError } from '../../../base/api-error.ts'
import { isObject } from '../../../http/schema/containers.ts'
import { Problem } from '../../../http/schema/problem.ts'

const paths = {
  chat: 'POST /v1/chat/completions',
  completions: 'POST /v1/completions',
  embeddings: 'POST /v1/embeddings',
  messages: 'POST /v1/messages',
  responses: 'POST /v1/responses',
}
type Api = keyof typeof paths
type Body = Record<string, unknown>

/**
 * The error of a body that was refused. If it looks like the body of another endpoint, the message also names that one; the
 * code and the path stay the same. Only refused bodies are examined, so that no valid one is mistaken.
 */
export const nameOtherEndpoint = (refused: unknown, value: unknown, endpoint: Exclude<Api, 'embeddings'>): unknown => {
  const error = refused instanceof Problem ? refused.toApiError() : refused
  if (!(error instanceof ApiError) || !isObject(value)) return error
  const other = guessApi(value, endpoint)
  if (other === endpoint) return error
  const plain = error.toPlain()
  const hint = `The body looks like a request to ${paths[other]}; send it there.`
  // Some official messages end without a full stop.
  const message = /[.!?]$/.test(plain.message) ? plain.message : `${plain.message}.`
  return ApiError.fromPlain({ ...plain, message: `${message} ${hint}` })
}

const guessApi = (body: Body, endpoint: Exclude<Api, 'embeddings'>): Api => {
  const has = (field: string): boolean => body[field] !== undefined && body[field] !== null
  if (endpoint === 'responses' && (has('input') || has('previous_response_id'))) return endpoint
  if (endpoint === 'completions' && has('prompt')) return endpoint
  if (has('messages')) return apiOfMessages(body, endpoint)
  if (has('input')) return isEmbedding(body) ? 'embeddings' : 'responses'
  return typeof body.prompt === 'string' || Array.isArray(body.prompt) ? 'completions' : endpoint
}

/**
 * If it has the fields of both APIs, or of neither, it may be meant for either, and the endpoint is assumed to be
 * right.
 */
const apiOfMessages = (body: Body, endpoint: Api): Api => {
  const isAnthropic = hasMarks(body, anthropic)
  const isOpenai = hasMarks(body, openai)
  if (isAnthropic !== isOpenai) return isAnthropic ? 'messages' : 'chat'
  return endpoint === 'messages' ? endpoint : 'chat'
}

/** The items of a response are objects. */
const isEmbedding = ({ input, encoding_format, dimensions }: Body): boolean =>
  encoding_format !== undefined || dimensions !== undefined || (Array.isArray(input) && !isObject(input[0]))

/** What only one of the two APIs with `messages` has. */
type Marks = {
  fields: readonly string[]
  toolField: string
  blockTypes: readonly unknown[]
  roles: readonly unknown[]
}

const anthropic: Marks = {
  fields: ['system', 'stop_sequences', 'thinking', 'anthropic_version', 'mcp_servers', 'output_config'],
  toolField: 'input_schema',
  blockTypes: ['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'document', 'image'],
  roles: [],
}
const openai: Marks = {
  fields: ['max_completion_tokens', 'response_format', 'stop', 'stream_options', 'n', 'seed', 'logprobs'],
  toolField: 'function',
  blockTypes: ['image_url', 'input_audio', 'file', 'refusal'],
  roles: ['developer', 'tool', 'function'],
}

/** Only this many messages are examined; the first ones are enough to tell. */
const maxItems = 100
const firstItems = (value: unknown): Body[] => (Array.isArray(value) ? value.slice(0, maxItems).filter(isObject) : [])

const hasMarks = (body: Body, { fields, toolField, blockTypes, roles }: Marks): boolean =>
  fields.some((field) => Object.hasOwn(body, field)) ||
  firstItems(body.tools).some((tool) => Object.hasOwn(tool, toolField)) ||
  firstItems(body.messages).some(
    ({ role, content }) => roles.includes(role) || firstItems(content).some(({ type }) => blockTypes.includes(type)),
  )
