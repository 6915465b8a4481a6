import {
  type UpstreamCapability,
  type UpstreamField,
  type UpstreamKind,
  upstreamFields,
} from '../../config/upstream-names.ts'
import type { EngineFeature } from '../contract.ts'

/** What upstreams of one kind accept, and how they spell it. */
export type UpstreamDialect = {
  /** `chat`: chat completions. `messages`: Anthropic's Messages, which requests and answers are translated to and from. */
  wire: 'chat' | 'messages'
  /** How the key is sent. */
  auth: 'bearer' | 'api-key' | 'x-api-key'
  /** Optional request fields. A request with any other is refused by name; without `stop`, Helix finds stop texts itself. */
  fields: readonly UpstreamField[]
  maxTokens: 'max_tokens' | 'max_completion_tokens'
  repetitionPenalty: 'repetition_penalty' | 'repeat_penalty'
  seed: 'seed' | 'random_seed'
  /** The response format for any JSON object. */
  objectFormat: { type: 'json_object'; schema?: object }
  /** The reasoning of earlier answers is sent back with them. */
  sendsReasoning: boolean
  /** Ids of calls have nine letters and digits. */
  hasShortCallIds: boolean
  /** Continues a last message of the assistant without being asked to. */
  continuesLastMessage: boolean
  /** Its list of models has the names that requests use. */
  listsModels: boolean
  /** Vectors are requested in Base64, which takes a third of the bytes; others send numbers. */
  encodesVectors: boolean
  pairs: {
    /** `score` scores any pairs, `rerank` only documents for one query. */
    path: 'score' | 'rerank'
    fields: readonly ('truncate_prompt_tokens' | 'max_tokens_per_doc')[]
    /** Scores are those of the model, not numbers between 0 and 1. */
    areRaw: boolean
  }
}

const official: readonly UpstreamField[] = [
  ...(['tools', 'response_format', 'logprobs', 'logit_bias', 'reasoning_effort', 'seed', 'stop'] as const),
  ...(['frequency_penalty', 'presence_penalty'] as const),
]
const common: readonly UpstreamField[] = [...official, 'top_k', 'min_p', 'repetition_penalty']

const compatible: UpstreamDialect = {
  wire: 'chat',
  auth: 'bearer',
  fields: common,
  maxTokens: 'max_tokens',
  repetitionPenalty: 'repetition_penalty',
  seed: 'seed',
  objectFormat: { type: 'json_object' },
  sendsReasoning: true,
  hasShortCallIds: false,
  continuesLastMessage: false,
  listsModels: true,
  encodesVectors: false,
  pairs: { path: 'rerank', fields: [], areRaw: false },
}
const openai: UpstreamDialect = {
  ...compatible,
  fields: official,
  maxTokens: 'max_completion_tokens',
  sendsReasoning: false,
  encodesVectors: true,
}
const vllm: UpstreamDialect = {
  ...compatible,
  fields: upstreamFields,
  encodesVectors: true,
  pairs: { path: 'score', fields: ['truncate_prompt_tokens'], areRaw: false },
}

export const upstreamDialects: Record<UpstreamKind, UpstreamDialect> = {
  compatible,
  openai,
  // It lists the models that could be deployed, not the deployments.
  azure: { ...openai, auth: 'api-key', listsModels: false },
  anthropic: {
    ...compatible,
    wire: 'messages',
    auth: 'x-api-key',
    fields: ['tools', 'response_format', 'stop', 'top_k'],
    sendsReasoning: false,
  },
  mistral: {
    ...compatible,
    fields: ['tools', 'response_format', 'seed', 'stop', 'frequency_penalty', 'presence_penalty'],
    seed: 'random_seed',
    sendsReasoning: false,
    hasShortCallIds: true,
  },
  vllm,
  sglang: {
    ...compatible,
    fields: [
      ...common,
      ...(['stop_token_ids', 'min_tokens', 'ignore_eos', 'chat_template_kwargs', 'continue_final_message'] as const),
    ],
  },
  'llama-server': {
    ...compatible,
    fields: [...common, 'ignore_eos', 'chat_template_kwargs'],
    repetitionPenalty: 'repeat_penalty',
    // Without a schema it adds text after the object.
    objectFormat: { type: 'json_object', schema: { type: 'object' } },
    continuesLastMessage: true,
    encodesVectors: true,
    pairs: { path: 'rerank', fields: [], areRaw: true },
  },
  helix: {
    ...vllm,
    pairs: { path: 'score', fields: ['truncate_prompt_tokens', 'max_tokens_per_doc'], areRaw: true },
  },
}

/** Whether an upstream goes on with a last message of the assistant exactly where it ends. */
export const continuesExactly = (kind: UpstreamKind, named: readonly string[]): boolean => {
  const { fields, continuesLastMessage } = upstreamDialects[kind]
  const accepted: readonly string[] = named.length === 0 ? fields : named
  return continuesLastMessage || accepted.includes('continue_final_message')
}

/** The fields and capabilities as features, which are what people see. No upstream is sent or asked for all token IDs. */
export const upstreamFeatures = (
  fields: ReadonlySet<string>,
  capabilities: readonly UpstreamCapability[],
): Set<EngineFeature> => {
  const featureFields: [EngineFeature, UpstreamField][] = [
    ['tools', 'tools'],
    ['reasoning', 'reasoning_effort'],
    ['grammar', 'response_format'],
    ['logprobs', 'logprobs'],
    ['template', 'chat_template_kwargs'],
  ]
  const features = new Set(featureFields.filter(([, field]) => fields.has(field)).map(([feature]) => feature))
  // A model that reads images from addresses has vision.
  if (capabilities.includes('vision') || capabilities.includes('image_urls')) features.add('vision')
  if (capabilities.includes('audio')) features.add('audio')
  return features
}
