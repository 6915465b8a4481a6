import type { EngineFeature } from '../contract.ts'

/** Ours for any model, but for what its chat template has to know of. */
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
