import { array, isObject, object, optional, unset } from '../../../http/schema/containers.ts'
import { wrongType } from '../../../http/schema/problem.ts'
import { boolean, decimal, integer, oneOf, string } from '../../../http/schema/scalars.ts'
import { described, type Schema, schema } from '../../../http/schema/schema.ts'
import { never, served } from '../../../http/schema/unsupported.ts'
import { isUnservedByCounts, isUnservedByModels } from '../../generation/request/unserved-fields.ts'
import { metadata } from '../../openai/lists.ts'
import { input } from './input-items.ts'
import { textFormat } from './text-format.ts'
import { toolChoice } from './tool-choice.ts'
import { tools } from './tools.ts'

/** Every field of a request with its schema. `responses-request.ts` interprets them together. */

const maxTokens = Number.MAX_SAFE_INTEGER

/** What `include` can ask for; all but the log probabilities have an effect only on upstreams with this API. */
const includable = oneOf(
  'file_search_call.results',
  'web_search_call.results',
  'web_search_call.action.sources',
  'message.input_image.image_url',
  'computer_call_output.output.image_url',
  'code_interpreter_call.outputs',
  'reasoning.encrypted_content',
  'message.output_text.logprobs',
)

const summary = oneOf('auto', 'concise', 'detailed')
const reasoning = object({
  effort: unset(oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max')),
  summary: unset(summary),
  generate_summary: unset(described('Deprecated: use summary.', summary)),
  context: unset(oneOf('auto', 'current_turn', 'all_turns')),
  mode: unset(served(['standard', 'pro'], ['standard'])),
})

const text = object({
  format: unset(textFormat),
  verbosity: unset(oneOf('low', 'medium', 'high')),
})

/** False has no effect. */
const background: Schema<boolean> = schema(
  { type: 'boolean', const: false, description: 'Not supported: responses are generated while the client waits.' },
  (value) => {
    if (typeof value !== 'boolean') throw wrongType('a boolean', value)
    if (value) never('')(value)
    return value
  },
)

/** Any object: accepted without effect. */
const anyObject: Schema<Record<string, unknown>> = schema({ type: 'object' }, (value) => {
  if (!isObject(value)) throw wrongType('an object', value)
  return value
})

/** The fields that determine the tokens of the prompt. */
export const promptFields = {
  model: string(),
  input: unset(input),
  instructions: unset(described('A system message at the beginning of the prompt.', string())),
  previous_response_id: unset(described('Continues the conversation of a stored response.', string({ minLength: 1 }))),
  conversation: optional(never('conversations are not available; use previous_response_id')),
  tools: unset(tools),
  tool_choice: unset(toolChoice),
  parallel_tool_calls: unset(boolean),
  reasoning: unset(reasoning),
  text: unset(text),
  truncation: unset(
    described(
      'auto leaves out the oldest items of a conversation that does not fit the context. Otherwise it is refused.',
      oneOf('auto', 'disabled'),
    ),
  ),
}

const person = 'An ID of your own for the person who asks. Only upstreams with the Responses API are sent a hash of it.'

const fields = {
  ...promptFields,
  include: unset(array(includable, { of: 'strings', max: 64 })),
  max_output_tokens: unset(
    described('Maximum number of tokens to generate, including reasoning.', integer({ min: 1, max: maxTokens })),
  ),
  max_tool_calls: unset(
    described(
      'Limits built-in tools, which only upstreams with the Responses API run.',
      integer({ min: 1, max: maxTokens }),
    ),
  ),
  metadata: unset(metadata),
  store: unset(described('Stores the response, which is the default, so that it can be retrieved by its ID.', boolean)),
  stream: unset(described('Streams the response as server-sent events.', boolean)),
  stream_options: unset(object({ include_obfuscation: unset(boolean) })),
  temperature: unset(decimal({ min: 0, max: 2 })),
  top_p: unset(decimal({ min: 0, max: 1 })),
  top_logprobs: unset(integer({ min: 0, max: 20 })),

  // With an effect only on upstreams with this API, which are sent them.
  user: unset(described(`${person} Stored responses contain it.`, string())),
  safety_identifier: unset(described(person, string({ maxLength: 128 }))),
  prompt_cache_key: unset(
    described(
      'Groups requests whose prompts begin alike. Only upstreams with the Responses API are sent a hash of it.',
      string(),
    ),
  ),
  prompt_cache_retention: unset(
    described(
      'How long the prompt stays cached. Only upstreams with the Responses API are sent it.',
      oneOf('in_memory', '24h'),
    ),
  ),

  // Accepted without effect.
  client_metadata: unset(anyObject),
  prompt_cache_options: unset(anyObject),
  service_tier: unset(oneOf('auto', 'default', 'flex', 'scale', 'priority', 'fast')),

  background: unset(background),
  prompt: optional(never('prompt templates are not available')),
  context_management: optional(never('truncation is the only way to shorten a conversation')),
  moderation: optional(never('moderation is not available')),
  access_programs: optional(never('access programs are not available')),
  image: optional(never('images are not compressed')),
}

export const responsesBody = object(fields, { isUnserved: isUnservedByModels })

/** A prompt that is only counted. */
export const countedResponsesBody = object(promptFields, { isUnserved: isUnservedByCounts })

export type ResponsesBody = ReturnType<typeof responsesBody>
