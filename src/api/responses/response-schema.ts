import { builtInItemTypes } from '../../config/built-in-tools.ts'
import { array, nullable, object, optional, record } from '../../http/schema/containers.ts'
import { boolean, decimal, integer, oneOf, string } from '../../http/schema/scalars.ts'
import { described, type JsonSchema, schema } from '../../http/schema/schema.ts'
import { byField } from '../../http/schema/variants.ts'
import { textFormat } from './request/text-format.ts'
import { toolChoice } from './request/tool-choice.ts'

/** Schemas of the responses, for the OpenAPI document. Nothing else is ever sent. */
const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
const bytes = array(integer({ min: 0, max: 255 }))
const logprob = decimal({ min: -9999, max: 0 })
const status = oneOf('in_progress', 'completed', 'incomplete')
const anyObject = schema({ type: 'object' }, (value) => value)

const tokenFields = { token: string(), logprob, bytes }
const logprobs = array(object({ ...tokenFields, top_logprobs: array(object(tokenFields), { max: 20 }) }))

const inputText = object({ type: oneOf('input_text'), text: string() })
/** Of images and audio only the type and the size, or the address of an image, are returned. */
const inputImage = object({
  type: oneOf('input_image'),
  detail: string(),
  file_id: schema({ type: 'null' }, (value) => value),
  image_url: string(),
})
const inputAudio = object({ type: oneOf('input_audio'), input_audio: object({ data: string(), format: string() }) })
const outputText = object({ type: oneOf('output_text'), annotations: array(anyObject), logprobs, text: string() })
const refusal = object({ type: oneOf('refusal'), refusal: string() })
const reasoningText = object({ type: oneOf('reasoning_text'), text: string() })
const summaryText = object({ type: oneOf('summary_text'), text: string() })

const outputMessage = object({
  id: string(),
  type: oneOf('message'),
  status,
  content: array(byField('type', { output_text: outputText, refusal })),
  role: oneOf('assistant'),
  phase: optional(string()),
})
const inputMessage = object({
  id: string(),
  type: oneOf('message'),
  status,
  content: array(byField('type', { input_text: inputText, input_image: inputImage, input_audio: inputAudio })),
  role: oneOf('user', 'system', 'developer'),
})
const reasoning = object({
  id: string(),
  type: oneOf('reasoning'),
  summary: array(summaryText),
  content: optional(array(reasoningText)),
  encrypted_content: optional(described('Only from upstreams that have the Responses API.', string())),
  status: optional(status),
})
const functionCall = object({
  id: string(),
  type: oneOf('function_call'),
  status,
  arguments: string(),
  call_id: string(),
  name: string(),
})
const customFields = {
  id: string(),
  type: oneOf('custom_tool_call'),
  call_id: string(),
  input: string(),
  name: string(),
}
const customCall = object(customFields)
const toolOutput = object({
  id: string(),
  type: oneOf('function_call_output', 'custom_tool_call_output'),
  status,
  call_id: string(),
  output: schema(
    { anyOf: [{ type: 'string' }, array(byField('type', { input_text: inputText, input_image: inputImage })).json] },
    (value) => value,
  ),
})

/** What a tool did that an upstream runs itself, as it writes it. */
const builtInItem = (types: readonly string[]) =>
  schema(
    {
      type: 'object',
      properties: { id: { type: 'string' }, type: { enum: [...types] } },
      required: ['id', 'type'],
      description: 'Only from upstreams that have the Responses API, and of tools that the operator allows.',
    },
    (value) => value,
  )

const outputItem = byField('type', {
  ...Object.fromEntries(builtInItemTypes.map((type) => [type, builtInItem([type])])),
  message: outputMessage,
  reasoning,
  function_call: functionCall,
  custom_tool_call: customCall,
})

const tool = schema(
  {
    anyOf: [
      object({
        type: oneOf('function'),
        name: string(),
        description: nullable(string()),
        parameters: nullable(anyObject),
        strict: nullable(boolean),
      }).json,
      object({ type: oneOf('custom'), name: string(), description: optional(string()), format: anyObject }).json,
      { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
    ],
  },
  (value) => value,
)

const usage = object({
  input_tokens: count,
  input_tokens_details: object({ cache_write_tokens: count, cached_tokens: count }),
  output_tokens: count,
  output_tokens_details: object({ reasoning_tokens: count }),
  total_tokens: count,
})

export const responseSchema = object({
  id: string({ pattern: '^resp_' }),
  object: oneOf('response'),
  created_at: count,
  status: oneOf('in_progress', 'completed', 'incomplete', 'failed'),
  background: boolean,
  access_programs: schema({ type: 'null' }, (value) => value),
  completed_at: nullable(count),
  error: nullable(object({ code: oneOf('server_error', 'rate_limit_exceeded', 'invalid_prompt'), message: string() })),
  incomplete_details: nullable(object({ reason: oneOf('max_output_tokens', 'content_filter') })),
  instructions: nullable(string()),
  model: string(),
  output: array(outputItem),
  max_output_tokens: nullable(count),
  max_tool_calls: nullable(count),
  parallel_tool_calls: boolean,
  previous_response_id: nullable(string()),
  prompt_cache_key: nullable(string()),
  prompt_cache_retention: nullable(string()),
  reasoning: object({ effort: nullable(string()), summary: nullable(string()) }),
  safety_identifier: nullable(string()),
  temperature: nullable(decimal({ min: 0, max: 2 })),
  text: object({ format: textFormat, verbosity: oneOf('low', 'medium', 'high') }),
  tool_choice: toolChoice,
  tools: array(tool),
  top_logprobs: integer({ min: 0, max: 20 }),
  top_p: nullable(decimal({ min: 0, max: 1 })),
  truncation: oneOf('auto', 'disabled'),
  user: optional(string()),
  service_tier: oneOf('default'),
  usage: optional(usage),
  metadata: record(string()),
})

/** Log probabilities of events have no bytes. */
const eventToken = { token: string(), logprob }
const eventLogprobs = array(object({ ...eventToken, top_logprobs: array(object(eventToken), { max: 20 }) }))
const place = { item_id: string(), output_index: count, sequence_number: count }
const partPlace = { ...place, content_index: count }
const summaryPlace = { ...place, summary_index: count }
const delta = { delta: string(), obfuscation: optional(string()) }
const part = schema({ anyOf: [outputText.json, refusal.json, reasoningText.json] }, (value) => value)

const lifecycle = oneOf(
  'response.created',
  'response.in_progress',
  'response.completed',
  'response.incomplete',
  'response.failed',
)

const events: JsonSchema[] = [
  object({ type: lifecycle, response: responseSchema, sequence_number: count }).json,
  object({
    type: oneOf('response.output_item.added', 'response.output_item.done'),
    output_index: count,
    item: outputItem,
    sequence_number: count,
  }).json,
  object({ type: oneOf('response.content_part.added', 'response.content_part.done'), part, ...partPlace }).json,
  object({ type: oneOf('response.output_text.delta'), ...delta, logprobs: eventLogprobs, ...partPlace }).json,
  object({ type: oneOf('response.output_text.done'), text: string(), logprobs: eventLogprobs, ...partPlace }).json,
  object({
    type: oneOf('response.output_text.annotation.added'),
    annotation_index: count,
    annotation: anyObject,
    ...partPlace,
  }).json,
  object({ type: oneOf('response.refusal.delta', 'response.reasoning_text.delta'), ...delta, ...partPlace }).json,
  object({ type: oneOf('response.refusal.done'), refusal: string(), ...partPlace }).json,
  object({ type: oneOf('response.reasoning_text.done'), text: string(), ...partPlace }).json,
  object({
    type: oneOf('response.reasoning_summary_part.added', 'response.reasoning_summary_part.done'),
    part: summaryText,
    ...summaryPlace,
  }).json,
  object({ type: oneOf('response.reasoning_summary_text.delta'), ...delta, ...summaryPlace }).json,
  object({ type: oneOf('response.reasoning_summary_text.done'), text: string(), ...summaryPlace }).json,
  object({
    type: oneOf('response.function_call_arguments.delta', 'response.custom_tool_call_input.delta'),
    ...delta,
    ...place,
  }).json,
  object({ type: oneOf('response.function_call_arguments.done'), arguments: string(), ...place }).json,
  object({ type: oneOf('response.custom_tool_call_input.done'), input: string(), ...place }).json,
  object({
    type: oneOf('error'),
    code: nullable(string()),
    message: string(),
    param: nullable(string()),
    sequence_number: count,
  }).json,
]

export const responseEventSchema = { anyOf: events }

export const inputTokensSchema = object({ object: oneOf('response.input_tokens'), input_tokens: count })

export const deletedResponseSchema = object({ id: string(), object: oneOf('response'), deleted: boolean })

const listedItem = schema(
  {
    anyOf: [
      inputMessage.json,
      outputMessage.json,
      reasoning.json,
      functionCall.json,
      object({ ...customFields, status }).json,
      toolOutput.json,
      builtInItem(builtInItemTypes).json,
    ],
  },
  (value) => value,
)

export const inputItemPageSchema = object({
  object: oneOf('list'),
  data: array(listedItem),
  first_id: nullable(string()),
  last_id: nullable(string()),
  has_more: boolean,
})
