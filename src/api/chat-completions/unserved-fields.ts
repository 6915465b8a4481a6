import { isDeepStrictEqual } from 'node:util'
import { optional } from '../../http/schema/containers.ts'
import { unsupportedParameter } from '../../http/schema/problem.ts'
import type { Schema } from '../../http/schema/scalars.ts'

/**
 * Fields of the contract that are known but not served yet. Their default is accepted, since it asks for nothing;
 * anything else is refused by name, never ignored.
 */
const defaultsByField: Record<string, readonly unknown[]> = {
  audio: [null],
  frequency_penalty: [0, null],
  presence_penalty: [0, null],
  function_call: ['none'],
  functions: [],
  logit_bias: [null],
  logprobs: [false, null],
  top_logprobs: [null],
  metadata: [null],
  modalities: [['text'], null],
  moderation: [null],
  n: [1, null],
  parallel_tool_calls: [true],
  prediction: [null],
  prompt_cache_key: [null],
  prompt_cache_options: [{ mode: 'implicit', ttl: '30m' }, { mode: 'implicit' }, {}],
  prompt_cache_retention: [null],
  reasoning_effort: ['medium', null],
  response_format: [{ type: 'text' }],
  safety_identifier: [null],
  service_tier: ['auto', null],
  store: [false, null],
  tool_choice: ['none'],
  tools: [],
  user: [],
  verbosity: ['medium', null],
  web_search_options: [],
}

/** Compares by value and goes only as deep as the default does, however deep the request is. */
const onlyDefault =
  (defaults: readonly unknown[]): Schema<undefined> =>
  (value) => {
    if (!defaults.some((accepted) => accepted === value || isDeepStrictEqual(accepted, value)))
      throw unsupportedParameter()
    return undefined
  }

export const unservedFields = Object.fromEntries(
  Object.entries(defaultsByField).map(([name, defaults]) => [name, optional(onlyDefault(defaults))]),
)
