import { array, nullable, object, optional, record } from '../../http/schema/containers.ts'
import { decimal, integer, oneOf, string } from '../../http/schema/scalars.ts'
import { usageSchema } from '../openai/answer-shapes.ts'
import { promptLogprobsSchema } from '../openai/prompt-logprobs-json.ts'

/** Schemas of the responses, for the OpenAPI document. Nothing else is ever sent. */
const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
const bytes = array(integer({ min: 0, max: 255 }))
const tokenIds = optional(array(count))

const tokenFields = { token: string(), logprob: decimal({ min: -9999, max: 0 }), bytes }
const tokenLogprobJson = object({ ...tokenFields, top_logprobs: array(object(tokenFields), { max: 20 }) })
const logprobs = nullable(object({ content: array(tokenLogprobJson), refusal: nullable(array(tokenLogprobJson)) }))
const finishReason = oneOf('stop', 'length', 'tool_calls', 'content_filter', 'function_call')

const calledFunction = object({ name: string(), arguments: string() })
const toolCall = object({
  id: string({ pattern: '^call_' }),
  type: oneOf('function'),
  function: calledFunction,
})

export const answeredMessage = {
  role: oneOf('assistant'),
  content: nullable(string()),
  refusal: nullable(string()),
  reasoning_content: optional(string()),
  tool_calls: optional(array(toolCall, { min: 1 })),
  function_call: optional(calledFunction),
}

export const choiceFields = { index: count, logprobs, finish_reason: finishReason, token_ids: tokenIds }

const headFields = {
  id: string({ pattern: '^chatcmpl-' }),
  created: count,
  model: string(),
  service_tier: oneOf('default'),
  system_fingerprint: string({ pattern: '^fp_' }),
}

export const completionFields = {
  ...headFields,
  object: oneOf('chat.completion'),
  usage: usageSchema,
  prompt_token_ids: tokenIds,
  prompt_logprobs: optional(promptLogprobsSchema),
}

export const completionSchema = object({
  ...completionFields,
  choices: array(object({ ...choiceFields, message: object(answeredMessage) }), { min: 1, max: 128 }),
  metadata: optional(record(string())),
})

const delta = object({
  role: optional(oneOf('assistant')),
  content: optional(nullable(string())),
  refusal: optional(nullable(string())),
  reasoning_content: optional(string()),
  tool_calls: optional(
    array(
      object({
        index: count,
        id: optional(string({ pattern: '^call_' })),
        type: optional(oneOf('function')),
        function: object({ name: optional(string()), arguments: string() }),
      }),
      { min: 1 },
    ),
  ),
  function_call: optional(object({ name: optional(string()), arguments: string() })),
})

export const chunkSchema = object({
  ...headFields,
  object: oneOf('chat.completion.chunk'),
  choices: array(object({ index: count, delta, logprobs, finish_reason: nullable(finishReason), token_ids: tokenIds })),
  usage: optional(nullable(usageSchema)),
  obfuscation: optional(string()),
  prompt_token_ids: tokenIds,
})
