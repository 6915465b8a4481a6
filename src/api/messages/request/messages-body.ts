import { ApiError } from '../../../base/api-error.ts'
import { array, isObject, nullable, object, optional } from '../../../http/schema/containers.ts'
import { Problem, unsupportedParameter, wrongType } from '../../../http/schema/problem.ts'
import { boolean, decimal, integer, oneOf, string } from '../../../http/schema/scalars.ts'
import { described, type Schema, schema } from '../../../http/schema/schema.ts'
import { byField } from '../../../http/schema/variants.ts'
import { ignored } from '../../generation/request/read-fields.ts'
import { isUnservedByModels } from '../../generation/request/unserved-fields.ts'
import { systemContent } from './blocks.ts'
import { conversation } from './conversation.ts'
import { toolChoice, tools } from './tools.ts'

/** Every field of a request to `POST /v1/messages` with its schema. `messages-request.ts` interprets them together. */
const maxTokens = Number.MAX_SAFE_INTEGER
const key = optional(ignored)

const enabled = object({
  type: oneOf('enabled'),
  budget_tokens: integer({ min: 1024, max: maxTokens }),
  display: key,
})
const disabled = object({ type: oneOf('disabled') })
const adaptive = object({ type: oneOf('adaptive'), display: key })
const betweenTools = object({ type: oneOf('between_tools') })

const jsonSchema: Schema<Record<string, unknown>> = schema(
  { type: 'object', description: 'A JSON Schema.' },
  (value) => {
    if (!isObject(value)) throw wrongType('an object', value)
    return value
  },
)
const outputFormat = object({ type: oneOf('json_schema'), schema: jsonSchema })
const outputConfig = object({
  effort: optional(nullable(oneOf('low', 'medium', 'high', 'xhigh', 'max'))),
  format: optional(nullable(outputFormat)),
})

/** Tools that run outside the model: null or an empty value has no effect. */
const absent: Schema<null> = schema({ type: 'null' }, (value) => {
  if (value !== null && !(Array.isArray(value) && value.length === 0)) throw unsupportedParameter()
  return null
})

/**
 * A conversation kept by the server. The tool runners of the official libraries send the whole conversation when they
 * get this error.
 */
const thread: Schema<null> = schema({ type: 'null' }, (value) => {
  if (value !== null) throw new Problem((path) => ApiError.of('thread_unsupported_request', {}, { param: path }))
  return null
})

const stopSequence = string({ minLength: 1 })

const fields = {
  model: string(),
  messages: conversation,
  max_tokens: described('Maximum number of tokens to generate.', integer({ min: 1, max: maxTokens })),
  system: optional(nullable(systemContent)),
  stop_sequences: optional(nullable(array(stopSequence, { max: 64, of: 'strings' }))),
  stream: optional(nullable(boolean)),
  temperature: optional(nullable(decimal({ min: 0, max: 1 }))),
  top_p: optional(nullable(decimal({ min: 0, max: 1 }))),
  top_k: optional(nullable(integer({ min: 0, max: 2 ** 31 - 1 }))),
  tools: optional(nullable(tools)),
  tool_choice: optional(nullable(toolChoice)),
  thinking: optional(nullable(byField('type', { enabled, disabled, adaptive, between_tools: betweenTools }))),
  output_config: optional(nullable(outputConfig)),
  output_format: optional(nullable(outputFormat)),

  // Accepted without effect.
  metadata: optional(nullable(object({ user_id: optional(nullable(string({ maxLength: 512 }))) }))),
  service_tier: optional(nullable(oneOf('auto', 'standard_only'))),
  cache_control: key,
  context_management: key,
  diagnostics: key,
  inference_geo: key,
  speed: key,
  user_profile_id: key,
  workspace_id: key,

  container: optional(absent),
  mcp_servers: optional(absent),
  thread: optional(thread),
}

export const messagesBody = object(fields, { isUnserved: isUnservedByModels })

/** A prompt that is only counted needs no token limit. */
export const countedMessagesBody = object({ ...fields, max_tokens: optional(fields.max_tokens) })

export type MessagesBody = ReturnType<typeof messagesBody>

export const refuse = (path: string, reason: string): Problem =>
  new Problem(() => ApiError.of('refused_value', { path, reason }, { param: path }))
