import fc from 'fast-check'
import { guidedKinds, responseFormatKind } from './format-kinds.ts'
import {
  asObject,
  either,
  type Fields,
  flag,
  isObject,
  type Kind,
  leaf,
  list,
  object,
  onlyNull,
  orNull,
  real,
  text,
  whole,
  word,
} from './kind.ts'
import { messagesKind, textContent } from './message-kinds.ts'
import { functionCallKind, functionsKind, toolChoiceKind, toolsKind } from './tool-kinds.ts'

/** The vocabulary of the scripted engine. */
const vocabulary = 1000

const count = (shown: [number, number], min = 1) => orNull(whole(min, Number.MAX_SAFE_INTEGER, shown))
const tokenId = whole(0, vocabulary - 1)

const bias = real(-100, 100)
const logitBias: Kind = {
  right: fc.dictionary(
    fc.nat({ max: vocabulary - 1 }).map((id) => `${id}`),
    bias.right,
    { maxKeys: 3 },
  ),
  takes: isObject,
  errors: (value) =>
    ['x', '-1', '1.5', '', '1e2', '99999999999', `${vocabulary}`].map((key) => ({
      value: { ...asObject(value), [key]: 1 },
      at: '',
    })),
  inside: (value) => Object.keys(asObject(value)).map((key) => [key, bias]),
}

const metadataText = text({ max: 512 })
const metadata: Kind = {
  right: fc.dictionary(fc.stringMatching(/^[a-z_]{1,10}$/), metadataText.right, { maxKeys: 3 }),
  takes: isObject,
  errors: (value) => [
    { value: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v'])), at: '' },
    { value: { ...asObject(value), ['k'.repeat(65)]: 'v' }, at: '' },
  ],
  inside: (value) => Object.keys(asObject(value)).map((key) => [key, metadataText]),
}

const effort = word('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max')
const seed = leaf(
  fc.oneof(fc.maxSafeInteger(), fc.constantFrom(2 ** 63, -(2 ** 63))),
  (value) => Number.isInteger(value) && Number(value) >= -(2 ** 63) && Number(value) <= 2 ** 63,
  ...[1.5, '1', 2 ** 64, -(2 ** 64)],
)
const stop = either(text({ min: 1 }), list(text({ min: 1 }), { min: 1, max: 4 }))
const cacheOptions = object({}, { mode: orNull(word('implicit', 'explicit')), ttl: orNull(word('30m')) })
const prediction = object({ type: word('content'), content: textContent })
const templateVariables = leaf(fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue({ maxDepth: 1 })), isObject)
const modalities: Kind = {
  ...leaf(fc.constantFrom(['text']), Array.isArray),
  errors: () => [
    { value: [], at: '' },
    { value: ['text', 'audio'], at: '[1]' },
    { value: ['smell'], at: '[0]' },
    { value: [1], at: '[0]' },
  ],
}

/** Official fields that combine with any other. */
export const freeKinds: Fields = {
  n: orNull(whole(1, 128, [1, 3])),
  stop: orNull(stop),
  seed: orNull(seed),
  temperature: orNull(real(0, 2)),
  top_p: orNull(real(0, 1)),
  frequency_penalty: orNull(real(-2, 2)),
  presence_penalty: orNull(real(-2, 2)),
  logit_bias: orNull(logitBias),
  store: orNull(flag),
  metadata: orNull(metadata),
  user: orNull(text()),
  safety_identifier: orNull(text({ max: 128 })),
  prompt_cache_key: orNull(text()),
  prompt_cache_options: orNull(cacheOptions),
  prompt_cache_retention: orNull(word('in_memory', '24h')),
  prediction: orNull(prediction),
  service_tier: orNull(word('auto', 'default', 'flex', 'scale', 'priority', 'fast')),
  reasoning_effort: orNull(effort),
  verbosity: orNull(word('low', 'medium', 'high')),
  modalities: orNull(modalities),
  audio: onlyNull,
  moderation: onlyNull,
  web_search_options: onlyNull,
}

/** Extensions that combine with any other field. */
export const extensionKinds: Fields = {
  top_k: orNull(whole(-1, 2 ** 31 - 1, [-1, 100])),
  min_p: orNull(real(0, 1)),
  repetition_penalty: orNull(real(0.01, 10)),
  ignore_eos: orNull(flag),
  stop_token_ids: orNull(list(tokenId, { max: 128 })),
  chat_template_kwargs: orNull(templateVariables),
  return_token_ids: orNull(flag),
  allowed_token_ids: orNull(list(tokenId, { min: 1, max: 1024 })),
}

/** Fields that combine only with some others; `chat-bodies.ts` combines them. */
const boundKinds: Fields = {
  model: text(),
  messages: messagesKind,
  max_tokens: count([1, 500]),
  max_completion_tokens: count([1, 500]),
  min_tokens: count([0, 1], 0),
  logprobs: orNull(flag),
  top_logprobs: orNull(whole(0, 20)),
  stream: orNull(flag),
  stream_options: orNull(object({}, { include_usage: orNull(flag), include_obfuscation: orNull(flag) })),
  continue_final_message: orNull(flag),
  add_generation_prompt: orNull(flag),
  tools: orNull(toolsKind),
  tool_choice: orNull(toolChoiceKind),
  parallel_tool_calls: orNull(flag),
  functions: orNull(functionsKind),
  function_call: orNull(functionCallKind),
  response_format: orNull(responseFormatKind),
  ...guidedKinds,
}
export const everyKind: Fields = { ...freeKinds, ...extensionKinds, ...boundKinds }
