import { ApiError } from '../../../base/api-error.ts'
import type { ModelKind } from '../../../engine/contract.ts'
import { wrongModelKind } from '../../../engine/wrong-model-kind.ts'
import { mayUseModel, requireScope } from '../../../keys/key-guard.ts'
import type { ModelPool } from '../../../models/contract.ts'
import { modelNames } from '../../../models/model-names.ts'
import type { KeyRecord } from '../../../store/contract.ts'
import type { GenerationRequest } from '../request/generation-request.ts'

/** Checks what the body requests beyond the scope of the route. The playground has no key, so nothing is forbidden there. */
export const refuseForbidden = (
  key: Pick<KeyRecord, 'models' | 'scopes'> | null,
  { model, store }: Pick<GenerationRequest, 'model' | 'store'>,
  pool: Pick<ModelPool, 'model' | 'aliases'>,
): void => {
  if (key === null) return
  if (!mayUseModel(key, modelNames(pool))) throw ApiError.of('model_not_allowed', { model }, { param: 'model' })
  if (store) requireScope(key, 'completions.write')
}

/** Refuses a request to a model of another kind, such as a chat with an embedding model, before the model is loaded for it. */
export const requireModelKind = ({ kind, model }: Pick<ModelPool, 'kind' | 'model'>, wanted: ModelKind): void => {
  if (kind !== wanted) throw wrongModelKind(model.id, kind, wanted)
}
