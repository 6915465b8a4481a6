import { ApiError } from '../base/api-error.ts'
import type { ModelKind } from './contract.ts'

/** What models of each kind do, and where. */
const purposes = {
  chat: { does: 'generates text', path: '/v1/chat/completions' },
  embedding: { does: 'creates embeddings', path: '/v1/embeddings' },
  rerank: { does: 'scores documents', path: '/v1/rerank' },
} as const satisfies Record<ModelKind, { does: string; path: string }>

const errors = {
  chat: 'model_not_for_chat',
  embedding: 'model_not_for_embeddings',
  rerank: 'model_not_for_reranking',
} as const satisfies Record<ModelKind, string>

/** The error for a request to a model of another kind than it needs. */
export const wrongModelKind = (model: string, kind: ModelKind, wanted: ModelKind): ApiError =>
  ApiError.of(errors[wanted], { model, ...purposes[kind] }, { param: 'model' })

export const kindOfFeatures = (features: ReadonlySet<string> | null): ModelKind => {
  if (features?.has('rerank')) return 'rerank'
  return features?.has('embeddings') ? 'embedding' : 'chat'
}
