import type { EngineFeature } from '../contract.ts'

/** Supported for every model, except where the chat template must support the feature. */
export const embeddedFeatures = (chatTemplate: string): EngineFeature[] => {
  const writes = (...texts: string[]) => texts.every((text) => chatTemplate.includes(text))
  return [
    'grammar',
    'logprobs',
    'token_ids',
    'template',
    ...(writes('tools', '<tool_call>') ? (['tools'] as const) : []),
    ...(writes('<think>') ? (['reasoning'] as const) : []),
  ]
}
