/** The optional request fields that upstreams differ in. `src/engine/remote/upstream-kinds.ts` says which kind accepts which. */
export const upstreamFields = [
  'tools',
  'response_format',
  'structured_outputs',
  'logprobs',
  'logit_bias',
  'reasoning_effort',
  'seed',
  'stop',
  'frequency_penalty',
  'presence_penalty',
  'top_k',
  'min_p',
  'repetition_penalty',
  'stop_token_ids',
  'min_tokens',
  'ignore_eos',
  'chat_template_kwargs',
  'continue_final_message',
  'add_generation_prompt',
] as const
export type UpstreamField = (typeof upstreamFields)[number]

/**
 * What the messages to a model may have besides text. `vision`: images in `data:` URLs. `image_urls`: also images at an
 * address, which the upstream reads. `audio`: audio. `responses`: the upstream has the Responses API, and requests to it are passed on.
 * `responses_for_chat`: it gets all chats there, too.
 */
export const upstreamCapabilities = ['vision', 'image_urls', 'audio', 'responses', 'responses_for_chat'] as const
export type UpstreamCapability = (typeof upstreamCapabilities)[number]

/** `chat`: generates text. `embedding`: turns texts into vectors. `rerank`: scores pairs of a query and a document. */
export const upstreamModelKinds = ['chat', 'embedding', 'rerank'] as const
export type UpstreamModelKind = (typeof upstreamModelKinds)[number]

export const upstreamKinds = [
  ...(['compatible', 'openai', 'azure', 'anthropic', 'google', 'groq', 'mistral', 'fireworks'] as const),
  ...(['vllm', 'sglang', 'llama-server', 'lm-studio', 'helix'] as const),
] as const
export type UpstreamKind = (typeof upstreamKinds)[number]

/**
 * Why an upstream gets no requests for a while. `busy`: it asked us to wait. `key_refused`: our key there is wrong. `quota_exceeded`: what its
 * provider has granted is used up. `canary`: its answer to a canary was wrong, so that answers to requests say nothing good about it.
 */
export const pauseReasons = ['failures', 'busy', 'key_refused', 'quota_exceeded', 'canary'] as const
export type PauseReason = (typeof pauseReasons)[number]
