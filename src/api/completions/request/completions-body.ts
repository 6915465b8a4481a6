import { ApiError } from '../../../base/api-error.ts'
import { array, object, optional, record, unset } from '../../../http/schema/containers.ts'
import { Problem, unrecognizedArguments, wrongType } from '../../../http/schema/problem.ts'
import { boolean, decimal, integer, string } from '../../../http/schema/scalars.ts'
import { described, type Schema, schema } from '../../../http/schema/schema.ts'
import { byType } from '../../../http/schema/variants.ts'
import { isUnservedByModels } from '../../generation/request/unserved-fields.ts'

/** Every field of a request to `POST /v1/completions` with its schema. */
type Prompt = string | number[]

/** As many as there can be choices: each prompt has at least one. */
export const maxChoices = 128

const maxTokenId = 2 ** 31 - 1
const refused = (reason: string): Problem =>
  new Problem((path) => ApiError.of('refused_value', { path, reason }, { param: path }))

const tokenIds = array(integer({ min: 0, max: maxTokenId }), { min: 1, max: 1_000_000, of: 'integers' })
const texts = array(string(), { min: 1, max: maxChoices, of: 'strings' })
const lists = array(tokenIds, { min: 1, max: maxChoices, of: 'arrays' })

/** A text, a list of token ids, or a list of several of either. */
const prompt: Schema<Prompt[]> = schema(
  {
    anyOf: [
      { type: 'string' },
      { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: maxChoices },
      { type: 'array', items: { type: 'integer' }, minItems: 1 },
      {
        type: 'array',
        items: { type: 'array', items: { type: 'integer' }, minItems: 1 },
        minItems: 1,
        maxItems: maxChoices,
      },
    ],
    description:
      'A text or a list of token IDs, which the model continues without a chat template, or a list of several. The choices of the first come first.',
  },
  (value) => {
    if (typeof value === 'string') return [value]
    if (!Array.isArray(value)) throw wrongType('one of a string or array', value)
    if (typeof value[0] === 'number') return [tokenIds(value)]
    return typeof value[0] === 'string' || value.length === 0 ? texts(value) : lists(value)
  },
)

const stopText = string({ minLength: 1 })
const stop: Schema<string[]> = byType('one of a string or array of strings', {
  string: schema(stopText.json, (value) => [stopText(value)]),
  array: array(stopText, { min: 1, max: 4, of: 'strings' }),
})

const bias = record(decimal({ min: -100, max: 100 }), { maxEntries: 1024 })
const logitBias: Schema<[number, number][]> = schema(bias.json, (value) =>
  Object.entries(bias(value)).map(([key, added]) => {
    if (!/^\d{1,10}$/.test(key) || Number(key) > maxTokenId)
      throw new Problem((path) => ApiError.of('invalid_token_id', { path, id: key.slice(0, 20) }, { param: path }))
    return [Number(key), added]
  }),
)

const noSuffix: Schema<null> = schema({ type: 'null', description: 'Not supported.' }, (value) => {
  if (value !== null) throw refused('the models only continue a text; they insert nothing before a suffix')
  return null
})

const streamOptions = object({
  include_usage: unset(boolean),
  continuous_usage_stats: unset(boolean),
  include_obfuscation: unset(boolean),
})
const someIds = (limits: { min?: number; max: number }) =>
  unset(array(integer({ min: 0, max: maxTokenId }), { ...limits, of: 'integers' }))

export const completionsBody = object(
  {
    model: string(),
    prompt,
    max_tokens: unset(
      described(
        'Maximum number of tokens to generate. Defaults to 16. 0 is allowed with echo or prompt_logprobs.',
        integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
      ),
    ),
    n: unset(integer({ min: 1, max: maxChoices })),
    best_of: unset(integer({ min: 1, max: maxChoices })),
    echo: unset(
      described(
        'Returns the prompt in front of the completion; with logprobs, also the log probabilities of its tokens.',
        boolean,
      ),
    ),
    logprobs: unset(described('Number of most likely tokens to return at each position.', integer({ min: 0, max: 5 }))),
    stop: unset(stop),
    stream: unset(boolean),
    stream_options: unset(streamOptions),
    temperature: unset(decimal({ min: 0, max: 2 })),
    top_p: unset(decimal({ min: 0, max: 1 })),
    frequency_penalty: unset(decimal({ min: -2, max: 2 })),
    presence_penalty: unset(decimal({ min: -2, max: 2 })),
    logit_bias: unset(logitBias),
    seed: unset(integer({ min: -(2 ** 63), max: 2 ** 63 })),
    suffix: optional(noSuffix),
    user: unset(string()),

    // Extensions that vLLM has, too.
    prompt_logprobs: unset(
      described(
        'Returns log probabilities of the prompt, with this number of most likely tokens.',
        integer({ min: 0, max: 20 }),
      ),
    ),
    return_token_ids: unset(described('Returns the token IDs of the prompt and the completion.', boolean)),
    truncate_prompt_tokens: unset(
      described(
        'Uses only this number of the last tokens of each prompt.',
        integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      ),
    ),
    allowed_token_ids: someIds({ min: 1, max: 1024 }),
    logprob_token_ids: someIds({ max: 128 }),
  },
  { unknown: unrecognizedArguments, isUnserved: isUnservedByModels },
)
export type CompletionsBody = ReturnType<typeof completionsBody>
