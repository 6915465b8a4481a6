import {
  type UpstreamCapability,
  type UpstreamField,
  type UpstreamKind,
  upstreamFields,
} from '../../config/upstream-names.ts'
import type { EngineFeature } from '../contract.ts'

/** What upstreams of one kind accept, and how they spell it. */
export type UpstreamDialect = {
  /** Optional request fields. A request with any other is refused by name; without `stop`, Helix finds stop texts itself. */
  fields: readonly UpstreamField[]
  maxTokens: 'max_tokens' | 'max_completion_tokens'
  repetitionPenalty: 'repetition_penalty' | 'repeat_penalty'
  /** The response format for any JSON object. */
  objectFormat: { type: 'json_object'; schema?: object }
  /** The reasoning of earlier answers is sent back with them. */
  sendsReasoning: boolean
  /** Continues a last message of the assistant without being asked to. */
  continuesLastMessage: boolean
}

const official: readonly UpstreamField[] = [
  ...(['tools', 'response_format', 'logprobs', 'logit_bias', 'reasoning_effort', 'seed', 'stop'] as const),
  ...(['frequency_penalty', 'presence_penalty'] as const),
]
const common: readonly UpstreamField[] = [...official, 'top_k', 'min_p', 'repetition_penalty']

const compatible: UpstreamDialect = {
  fields: common,
  maxTokens: 'max_tokens',
  repetitionPenalty: 'repetition_penalty',
  objectFormat: { type: 'json_object' },
  sendsReasoning: true,
  continuesLastMessage: false,
}

export const upstreamDialects: Record<UpstreamKind, UpstreamDialect> = {
  compatible,
  openai: { ...compatible, fields: official, maxTokens: 'max_completion_tokens', sendsReasoning: false },
  vllm: { ...compatible, fields: upstreamFields },
  'llama-server': {
    ...compatible,
    fields: [...common, 'ignore_eos', 'chat_template_kwargs'],
    repetitionPenalty: 'repeat_penalty',
    // Without a schema it adds text after the object.
    objectFormat: { type: 'json_object', schema: { type: 'object' } },
    continuesLastMessage: true,
  },
  helix: { ...compatible, fields: upstreamFields },
}

/** Whether an upstream goes on with a last message of the assistant exactly where it ends. */
export const continuesExactly = (kind: UpstreamKind, named: readonly string[]): boolean => {
  const { fields, continuesLastMessage } = upstreamDialects[kind]
  const accepted: readonly string[] = named.length === 0 ? fields : named
  return continuesLastMessage || accepted.includes('continue_final_message')
}

/** The fields and capabilities as features, which are what people see. */
export const upstreamFeatures = (
  fields: ReadonlySet<string>,
  capabilities: readonly UpstreamCapability[],
): Set<EngineFeature> => {
  const featureFields: [EngineFeature, UpstreamField][] = [
    ['tools', 'tools'],
    ['reasoning', 'reasoning_effort'],
    ['grammar', 'response_format'],
    ['logprobs', 'logprobs'],
    ['token_ids', 'stop_token_ids'],
    ['template', 'chat_template_kwargs'],
  ]
  const features = new Set(featureFields.filter(([, field]) => fields.has(field)).map(([feature]) => feature))
  // A model that reads images from addresses has vision.
  if (capabilities.includes('vision') || capabilities.includes('image_urls')) features.add('vision')
  if (capabilities.includes('audio')) features.add('audio')
  return features
}
