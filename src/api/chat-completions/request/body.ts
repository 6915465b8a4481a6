import { ApiError } from '../../../base/api-error.ts'
import { array, isObject, object, optional, record, unset } from '../../../http/schema/containers.ts'
import { Problem, unrecognizedArguments, wrongType } from '../../../http/schema/problem.ts'
import { boolean, decimal, integer, oneOf, string } from '../../../http/schema/scalars.ts'
import { described, type Schema, schema } from '../../../http/schema/schema.ts'
import { never, served } from '../../../http/schema/unsupported.ts'
import { byType } from '../../../http/schema/variants.ts'
import { isUnservedByModels } from '../../generation/request/unserved-fields.ts'
import { metadata } from '../../openai/lists.ts'
import { textContent } from './content.ts'
import { messages } from './messages.ts'
import { guidedFields, responseFormat } from './response-format.ts'
import { functionCallChoice, toolChoice } from './tool-choice.ts'
import { functions, tools } from './tools.ts'

/** Every field of a chat request with its schema. `request.ts` interprets them together. */
const maxTokens = Number.MAX_SAFE_INTEGER
/** Clients may send the largest 64-bit integer, 2^63 - 1; as a JSON number it becomes this. */
const maxSeed = 2 ** 63
const maxTokenId = 2 ** 31 - 1

const flag = (text: string) => unset(described(text, boolean))
const number = (text: string, min: number, max: number) => unset(described(text, decimal({ min, max })))
const whole = (text: string, min: number, max: number) => unset(described(text, integer({ min, max })))

const tokenIds = (limits: { min?: number; max: number }) =>
  array(integer({ min: 0, max: maxTokenId }), { ...limits, of: 'integers' })

const stopText = string({ minLength: 1 })
const stop: Schema<string[]> = byType('one of a string or array of strings', {
  string: schema(stopText.json, (value) => [stopText(value)]),
  array: array(stopText, { min: 1, max: 4, of: 'strings' }),
})

const bias = record(decimal({ min: -100, max: 100 }), { maxEntries: 1024 })
const logitBias: Schema<[number, number][]> = schema(
  { ...bias.json, description: 'Maps token IDs to a value added to their logits.' },
  (value) =>
    Object.entries(bias(value)).map(([key, added]) => {
      if (!/^\d{1,10}$/.test(key) || Number(key) > maxTokenId) throw badTokenId(key)
      return [Number(key), added]
    }),
)
const tooLongVariables = (): Problem => {
  const reason = `it has more than ${maxVariablesLength} characters as JSON`
  return new Problem((path) => ApiError.of('refused_value', { path, reason }, { param: path }))
}
const badTokenId = (key: string): Problem =>
  new Problem((path) => ApiError.of('invalid_token_id', { path, id: key.slice(0, 20) }, { param: path }))

const modalityList = array(served(['text', 'audio'], ['text']), { min: 1, of: 'strings' })
const prediction = object({ type: oneOf('content'), content: textContent })
const cacheOptions = object({ mode: unset(oneOf('implicit', 'explicit')), ttl: unset(oneOf('30m')) })
const streamOptions = object({
  include_usage: unset(boolean),
  continuous_usage_stats: unset(boolean),
  include_obfuscation: unset(boolean),
})

/** As JSON. Templates take a few switches; megabytes of them would be copied and written on the main thread. */
const maxVariablesLength = 65_536

/** Any JSON object: its meaning is up to the template. */
export const templateVariables: Schema<Record<string, unknown>> = schema({ type: 'object' }, (value) => {
  if (!isObject(value)) throw wrongType('an object', value)
  if (JSON.stringify(value).length > maxVariablesLength) throw tooLongVariables()
  return value
})

const fields = {
  model: string(),
  messages,

  max_tokens: whole('Deprecated: use max_completion_tokens.', 1, maxTokens),
  max_completion_tokens: whole(
    'Maximum number of tokens to generate. Without it, the answer may be as long as the model and its context allow.',
    1,
    maxTokens,
  ),
  n: whole('Number of completions to generate. Defaults to 1.', 1, 128),
  stop: unset(stop),
  seed: whole(
    'Requests with the same seed return the same completion, on a best-effort basis. Without it, the seed is random.',
    -(2 ** 63),
    maxSeed,
  ),
  temperature: number(
    'Sampling temperature. 0 always selects the most likely token; higher values give more varied output. Without it the default of the model applies.',
    0,
    2,
  ),
  top_p: number(
    'Samples only from the most likely tokens whose combined probability reaches this value. Without it the default of the model applies.',
    0,
    1,
  ),
  frequency_penalty: number('Penalises tokens by how often they have already appeared. Defaults to 0.', -2, 2),
  presence_penalty: number('Penalises tokens that have already appeared. Defaults to 0.', -2, 2),
  logit_bias: unset(logitBias),
  logprobs: flag('Returns the log probability of each token. Defaults to false.'),
  top_logprobs: whole(
    'Number of most likely tokens to return at each position. Only with `logprobs`. Defaults to 0.',
    0,
    20,
  ),

  stream: flag('Streams the response as server-sent events. Defaults to false.'),
  stream_options: unset(streamOptions),
  store: flag('Stores the completion so that it can be retrieved by its ID. Defaults to false.'),
  metadata: unset(metadata),

  // Null means absent here too: the official document does not say so, but clients send it.
  tools: unset(tools),
  tool_choice: unset(toolChoice),
  parallel_tool_calls: unset(boolean),
  functions: unset(functions),
  function_call: unset(functionCallChoice),
  response_format: unset(responseFormat),

  // Accepted without effect.
  user: unset(string()),
  safety_identifier: unset(string({ maxLength: 128 })),
  prompt_cache_key: unset(string()),
  prompt_cache_options: unset(cacheOptions),
  prompt_cache_retention: unset(oneOf('in_memory', '24h')),
  prediction: unset(prediction),
  service_tier: unset(oneOf('auto', 'default', 'flex', 'scale', 'priority', 'fast')),
  verbosity: unset(oneOf('low', 'medium', 'high')),

  // Without effect on models that do not reason.
  reasoning_effort: unset(oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max')),

  // Features that a text model does not have.
  modalities: unset(modalityList),
  audio: optional(never('the model does not generate audio')),
  moderation: optional(never('moderation is not available')),
  web_search_options: optional(never('web search is not available')),

  // Extensions that other servers have too.
  top_k: whole(
    'Samples only from this number of most likely tokens; 0 or -1 means all. Without it the default of the model applies.',
    -1,
    maxTokenId,
  ),
  min_p: number(
    'Samples only from tokens with at least this fraction of the highest probability. Without it the default of the model applies.',
    0,
    1,
  ),
  repetition_penalty: number(
    'Values above 1 penalise tokens that appear in the prompt or the completion. Without it the default of the model applies.',
    0.01,
    10,
  ),
  min_tokens: whole('Minimum number of tokens to generate before the completion can end. Defaults to 0.', 0, maxTokens),
  ignore_eos: flag('Ignores end-of-sequence tokens and generates up to the token limit. Defaults to false.'),
  stop_token_ids: unset(tokenIds({ max: 128 })),
  chat_template_kwargs: unset(templateVariables),
  continue_final_message: flag('Continues the last message instead of starting a new one. Defaults to false.'),
  add_generation_prompt: flag('Adds the generation prompt of the chat template. Defaults to true.'),
  allowed_token_ids: unset(tokenIds({ min: 1, max: 1024 })),
  logprob_token_ids: unset(tokenIds({ max: 128 })),
  prompt_logprobs: whole('Returns log probabilities of the prompt, with this number of most likely tokens.', 0, 20),
  return_token_ids: flag('Returns the token IDs of the prompt and the completion. Defaults to false.'),
  ...guidedFields,
}

export const chatBody = object(fields, { unknown: unrecognizedArguments, isUnserved: isUnservedByModels })
export type ChatBody = ReturnType<typeof chatBody>
