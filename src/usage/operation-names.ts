import type { Endpoint } from '../store/ledger-contract.ts'

/** The names of the GenAI conventions of OpenTelemetry, which have none for reranking. */
export const operationNames: Record<Endpoint, string> = {
  'chat.completions': 'chat',
  completions: 'text_completion',
  embeddings: 'embeddings',
  messages: 'chat',
  playground: 'chat',
  rerank: 'rerank',
  responses: 'chat',
  score: 'rerank',
}
