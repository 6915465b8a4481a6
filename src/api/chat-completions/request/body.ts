import { ApiError } from '../../../base/errors.ts'
import { array, isObject, nullable, object, optional, record } from '../../../http/schema/containers.ts'
import { Problem, unsupportedParameter, wrongType } from '../../../http/schema/problem.ts'
import { boolean, decimal, integer, oneOf, string } from '../../../http/schema/scalars.ts'
import { described, type Schema, schema } from '../../../http/schema/schema.ts'
import { byType } from '../../../http/schema/variants.ts'
import { metadata } from '../../stored-completions/metadata.ts'
import { textContent } from './content.ts'
import { messages } from './messages.ts'
import { guidedFields, responseFormat } from './response-format.ts'
import { functionCallChoice, toolChoice } from './tool-choice.ts'
import { functions, tools } from './tools.ts'

/** Every field of a chat request, each with what it may hold. What it means together with others is `request.ts`'s. */
const mostTokens = Number.MAX_SAFE_INTEGER
/** Clients may send the largest 64-bit number, 2^63 - 1; this is what JSON's own number type makes of it. */
const mostSeed = 2 ** 63
const mostTokenId = 2 ** 31 - 1

const unset = <Value>(inner: Schema<Value>) => optional(nullable(inner))
const flag = (text: string) => unset(described(text, boolean))
const number = (text: string, min: number, max: number) => unset(described(text, decimal({ min, max })))
const whole = (text: string, min: number, max: number) => unset(described(text, integer({ min, max })))

const stopText = string({ minLength: 1 })
const stop: Schema<string[]> = byType('one of a string or array of strings', {
  string: schema(stopText.json, (value) => [stopText(value)]),
  array: array(stopText, { min: 1, max: 4, of: 'strings' }),
})

const bias = record(decimal({ min: -100, max: 100 }), { maxEntries: 1024 })
const logitBias: Schema<[number, number][]> = schema(
  { ...bias.json, description: 'From token id to a number that is added to its logit.' },
  (value) =>
    Object.entries(bias(value)).map(([key, added]) => {
      if (!/^\d{1,10}$/.test(key) || Number(key) > mostTokenId) throw badTokenId(key)
      return [Number(key), added]
    }),
)
const badTokenId = (key: string): Problem =>
  new Problem((path) => ApiError.of('invalid_token_id', { path, id: key.slice(0, 20) }, { param: path }))

/** A wish that only some models can fulfil: the words that ask for what is done anyway are taken, the others refused. */
const served = <const Word extends string>(all: readonly Word[], taken: readonly Word[]): Schema<Word> => {
  const known = oneOf(...all)
  return schema(known.json, (value) => {
    const word = known(value)
    if (!taken.includes(word))
      throw new Problem((path) => ApiError.of('unsupported_value', { path, value: word }, { param: path }))
    return word
  })
}

/** Null asks for nothing; anything else asks for what a text model cannot do. */
const never = (what: string): Schema<null> =>
  schema({ type: 'null', description: `Refused: ${what}.` }, (value) => {
    if (value !== null) throw unsupportedParameter()
    return null
  })

const modalityList = array(served(['text', 'audio'], ['text']), { min: 1, of: 'strings' })
const prediction = object({ type: oneOf('content'), content: textContent })
const cacheOptions = object({ mode: optional(oneOf('implicit', 'explicit')), ttl: optional(oneOf('30m')) })
const streamOptions = object({ include_usage: optional(boolean), include_obfuscation: optional(boolean) })

/** Any JSON, as long as it is an object: the template decides what it does with it. */
const templateVariables: Schema<Record<string, unknown>> = schema({ type: 'object' }, (value) => {
  if (!isObject(value)) throw wrongType('an object', value)
  return value
})

const fields = {
  model: string(),
  messages,

  max_tokens: whole('The older name of max_completion_tokens.', 1, mostTokens),
  max_completion_tokens: whole('The most tokens of the answer.', 1, mostTokens),
  n: whole('How many answers.', 1, 128),
  stop: unset(stop),
  seed: whole('The same seed gives the same answer, as far as it can be promised.', -(2 ** 63), mostSeed),
  temperature: number('0 takes the most likely token; higher is more varied.', 0, 2),
  top_p: number('Only the most likely tokens that together have this probability.', 0, 1),
  frequency_penalty: number('Against tokens by how often they were said.', -2, 2),
  presence_penalty: number('Against tokens that were said.', -2, 2),
  logit_bias: unset(logitBias),
  logprobs: flag('Tells the probability of each token.'),
  top_logprobs: whole('How many likely tokens are told at each place.', 0, 20),

  stream: flag('Answers with server-sent events.'),
  stream_options: unset(streamOptions),
  store: flag('Keeps the completion, to be read again under its id.'),
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
  prompt_cache_options: optional(cacheOptions),
  prompt_cache_retention: unset(oneOf('in_memory', '24h')),
  prediction: unset(prediction),
  service_tier: unset(oneOf('auto', 'default', 'flex', 'scale', 'priority', 'fast')),

  // What a text model that does not reason cannot do.
  reasoning_effort: unset(oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max')),
  verbosity: unset(served(['low', 'medium', 'high'], ['medium'])),
  modalities: unset(modalityList),
  audio: optional(never('the model does not speak')),
  moderation: optional(never('there is no moderation model')),
  web_search_options: optional(never('the model does not search')),

  // Extensions that other servers have too.
  top_k: whole('Only so many of the most likely tokens; 0 or -1: all.', -1, mostTokenId),
  min_p: number('Only tokens with this share of the best probability.', 0, 1),
  repetition_penalty: number('Above 1 against tokens of prompt and answer.', 0.01, 10),
  min_tokens: whole('No end before so many tokens.', 0, mostTokens),
  ignore_eos: flag('Goes on to the limit.'),
  stop_token_ids: unset(array(integer({ min: 0, max: mostTokenId }), { max: 128, of: 'integers' })),
  chat_template_kwargs: unset(templateVariables),
  continue_final_message: flag('Goes on with the last message instead of answering it.'),
  add_generation_prompt: flag('Lets the template open the answer; true unless told.'),
  return_token_ids: flag('Tells the ids of the tokens of prompt and answer.'),
  ...guidedFields,
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

export const chatBody = object(fields, unrecognized)
export type ChatBody = ReturnType<typeof chatBody>
