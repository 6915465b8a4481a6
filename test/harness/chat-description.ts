import type { GgufDescription } from '../../src/gguf/describe-gguf.ts'

/** For tests in which a script replaces the model. */
export const chatDescription: GgufDescription = {
  kind: 'chat',
  architecture: 'llama',
  trainedContextTokens: 1000,
  embeddingLength: 8,
  vocabularyTokens: 9,
  tokeniser: 'gpt2',
  hasChatTemplate: true,
  pooling: null,
  parameters: 1,
  quantisation: 'F32',
  sizeBytes: 1,
  licence: null,
  cacheShape: null,
}
