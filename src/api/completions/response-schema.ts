import { array, nullable, object, optional, record } from '../../http/schema/containers.ts'
import { decimal, integer, oneOf, string } from '../../http/schema/scalars.ts'
import { usageSchema } from '../openai/answer-shapes.ts'
import { promptLogprobsSchema } from '../openai/prompt-logprobs-json.ts'

/** For the OpenAPI document. A chunk of a stream has the same shape. */
const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
const logprob = decimal({ min: -Number.MAX_VALUE, max: 0 })
const logprobs = object({
  tokens: array(string()),
  token_logprobs: array(nullable(logprob)),
  top_logprobs: array(nullable(record(logprob))),
  text_offset: array(count),
})

export const textCompletionSchema = object({
  id: string({ pattern: '^cmpl-' }),
  object: oneOf('text_completion'),
  created: count,
  model: string(),
  system_fingerprint: string({ pattern: '^fp_' }),
  choices: array(
    object({
      index: count,
      text: string(),
      logprobs: nullable(logprobs),
      prompt_token_ids: optional(array(count)),
      token_ids: optional(array(count)),
      prompt_logprobs: optional(promptLogprobsSchema),
      finish_reason: nullable(oneOf('stop', 'length', 'content_filter')),
    }),
    { max: 128 },
  ),
  usage: optional(nullable(usageSchema)),
})
