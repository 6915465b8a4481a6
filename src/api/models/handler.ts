import { ApiError } from '../../base/api-error.ts'
import type { Engine, ServedModel } from '../../engine/contract.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import type { KeyCaller } from '../../http/route.ts'
import { mayUseModel } from '../../keys/key-guard.ts'

const modelJson = ({ id, created, ownedBy }: ServedModel) => ({ id, object: 'model', created, owned_by: ownedBy })

/** `GET /v1/models`: those that the key may use. */
export const createListModels =
  (engine: Pick<Engine, 'model'>) =>
  (exchange: Exchange, { key }: KeyCaller): void => {
    const data = mayUseModel(key, engine.model.id) ? [modelJson(engine.model)] : []
    sendJson(exchange, 200, { object: 'list', data })
  }

/** `GET /v1/models/{model}` */
export const createGetModel =
  (engine: Pick<Engine, 'model'>) =>
  (exchange: Exchange, { key }: KeyCaller): void => {
    const { model = '' } = exchange.params
    if (model !== engine.model.id || !mayUseModel(key, model))
      throw ApiError.of('model_not_found', { model: model.slice(0, 100) })
    sendJson(exchange, 200, modelJson(engine.model))
  }
