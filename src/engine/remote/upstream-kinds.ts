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
  objectFormat: { type: 'json_object'; schema?: object } | { type: 'json_schema'; json_schema: object }
  /** A choice may name a function. Otherwise it is the only one that is shown. */
  choosesByName: boolean
  /** The reasoning of earlier answers is sent back with them. */
  sendsReasoning: boolean
  /** Messages may have the names of their authors. */
  sendsNames: boolean
  /** Results of calls need the names of their functions. */
  namesResults: boolean
  /** The part of a message that has audio. */
  audioPart: 'input_audio' | 'audio_url'
  /** A stream has the counts only if they are requested. */
  asksForCounts: boolean
  /** What the first call of a message has to be signed with, where the signature of the provider is not known; null: nothing. */
  callSignature: string | null
  /** Ids of calls have nine letters and digits. */
  hasShortCallIds: boolean
  /** Continues a last message of the assistant without being asked to. */
  continuesLastMessage: boolean
  /** Its list of models has the names that requests use. */
  listsModels: boolean
  /** What stands before the names in that list, and not in requests. */
  listedPrefix: string
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
  choosesByName: true,
  sendsReasoning: true,
  sendsNames: true,
  namesResults: false,
  audioPart: 'input_audio',
  asksForCounts: true,
  callSignature: null,
  hasShortCallIds: false,
  continuesLastMessage: false,
  listsModels: true,
  listedPrefix: '',
  pairs: { path: 'rerank', fields: [], areRaw: false },
}
const openai: UpstreamDialect = {
  ...compatible,
  fields: official,
  maxTokens: 'max_completion_tokens',
  sendsReasoning: false,
}
const vllm: UpstreamDialect = {
  ...compatible,
  fields: upstreamFields,
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
    fields: ['tools', 'response_format', 'reasoning_effort', 'stop', 'top_k'],
    sendsReasoning: false,
  },
  // Gemini 3 refuses calls without the signature of its reasoning, which other APIs have no place for, and documents this in its place.
  google: {
    ...compatible,
    fields: ['tools', 'response_format', 'reasoning_effort', 'stop'],
    sendsReasoning: false,
    callSignature: 'skip_thought_signature_validator',
    listedPrefix: 'models/',
    // It refuses results without, although only the calls have them elsewhere.
    namesResults: true,
  },
  groq: {
    ...openai,
    fields: ['tools', 'response_format', 'reasoning_effort', 'seed', 'stop'],
    sendsNames: false,
  },
  // It refuses fields that it does not know.
  mistral: {
    ...compatible,
    fields: [
      ...(['tools', 'response_format', 'reasoning_effort', 'seed', 'stop'] as const),
      ...(['frequency_penalty', 'presence_penalty'] as const),
    ],
    seed: 'random_seed',
    sendsReasoning: false,
    sendsNames: false,
    asksForCounts: false,
    hasShortCallIds: true,
  },
  // The same; it sends the counts with the end of every stream.
  fireworks: { ...compatible, fields: [...common, 'ignore_eos'], sendsNames: false, asksForCounts: false },
  vllm,
  sglang: {
    ...compatible,
    audioPart: 'audio_url',
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
    pairs: { path: 'rerank', fields: [], areRaw: true },
  },
  'lm-studio': {
    ...compatible,
    fields: [
      ...(['tools', 'response_format', 'logit_bias', 'seed', 'stop'] as const),
      ...(['frequency_penalty', 'presence_penalty', 'top_k'] as const),
    ],
    objectFormat: { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' } } },
    choosesByName: false,
  },
  helix: {
    ...vllm,
    pairs: { path: 'score', fields: ['truncate_prompt_tokens', 'max_tokens_per_doc'], areRaw: true },
  },
}

/** Whether an upstream goes on with a last message of the assistant exactly where it ends. */
export const continuesExactly = (
  kind: UpstreamKind,
  named: readonly string[],
  capabilities: readonly UpstreamCapability[],
): boolean => {
  const { fields, continuesLastMessage } = upstreamDialects[kind]
  const accepted: readonly string[] = named.length === 0 ? fields : named
  // The Responses API answers anew.
  if (capabilities.includes('responses_for_chat')) return false
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
