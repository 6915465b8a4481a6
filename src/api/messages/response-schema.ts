import { array, nullable, object, optional, record } from '../../http/schema/containers.ts'
import { integer, oneOf, string } from '../../http/schema/scalars.ts'
import { type Schema, schema } from '../../http/schema/schema.ts'
import { byField } from '../../http/schema/variants.ts'
import { errorLimitSchema } from '../../operations/openapi-parts.ts'

/** For the OpenAPI document. */
const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
const absent: Schema<null> = schema({ type: 'null' }, () => null)
const any: Schema<unknown> = schema({}, (value) => value)

const contentBlock = byField('type', {
  text: object({ type: oneOf('text'), text: string() }),
  thinking: object({ type: oneOf('thinking'), thinking: string(), signature: string() }),
  redacted_thinking: object({ type: oneOf('redacted_thinking'), data: string() }),
  tool_use: object({
    type: oneOf('tool_use'),
    id: string(),
    name: string(),
    input: record(any),
    caller: object({ type: oneOf('direct') }),
  }),
})

const usageFields = {
  input_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  output_tokens: count,
  output_tokens_details: object({ thinking_tokens: count }),
  server_tool_use: absent,
}
const usage = object({
  ...usageFields,
  cache_creation: object({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count }),
  inference_geo: absent,
  service_tier: oneOf('standard'),
  speed: absent,
})
const end = {
  stop_reason: nullable(oneOf('end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'refusal')),
  stop_sequence: nullable(string()),
  stop_details: absent,
  container: absent,
}

export const messageSchema = object({
  id: string({ pattern: '^msg_' }),
  type: oneOf('message'),
  role: oneOf('assistant'),
  model: string(),
  content: array(contentBlock),
  ...end,
  diagnostics: absent,
  usage,
})

export const messageErrorSchema = object({
  type: oneOf('error'),
  error: object({
    type: string(),
    message: string(),
    details: optional(object({ error_code: string(), limit: optional(errorLimitSchema) })),
  }),
  request_id: string(),
})

export const messageEventSchema = byField('type', {
  message_start: object({ type: oneOf('message_start'), message: messageSchema }),
  content_block_start: object({ type: oneOf('content_block_start'), index: count, content_block: contentBlock }),
  content_block_delta: object({
    type: oneOf('content_block_delta'),
    index: count,
    delta: byField('type', {
      text_delta: object({ type: oneOf('text_delta'), text: string() }),
      thinking_delta: object({ type: oneOf('thinking_delta'), thinking: string() }),
      signature_delta: object({ type: oneOf('signature_delta'), signature: string() }),
      input_json_delta: object({ type: oneOf('input_json_delta'), partial_json: string() }),
    }),
  }),
  content_block_stop: object({ type: oneOf('content_block_stop'), index: count }),
  message_delta: object({ type: oneOf('message_delta'), delta: object(end), usage: object(usageFields) }),
  message_stop: object({ type: oneOf('message_stop') }),
  ping: object({ type: oneOf('ping') }),
  error: messageErrorSchema,
})

export const tokenCountSchema = object({ input_tokens: count })
