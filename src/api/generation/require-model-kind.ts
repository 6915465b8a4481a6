import { ApiError } from '../../base/api-error.ts'
import type { ModelKind } from '../../engine/contract.ts'
import type { ModelPool } from '../../models/contract.ts'

/** Refuses a chat request to an embedding model and the other way round, before the model is loaded for it. */
export const requireModelKind = ({ kind, model }: Pick<ModelPool, 'kind' | 'model'>, wanted: ModelKind): void => {
  if (kind === wanted) return
  const name = wanted === 'chat' ? 'model_not_for_chat' : 'model_not_for_embeddings'
  throw ApiError.of(name, { model: model.id }, { param: 'model' })
}
