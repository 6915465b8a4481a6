import { ApiError } from '../../base/errors.ts'
import type { Engine, ServedModel } from '../../engine/contract.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'

const modelJson = ({ id, created, ownedBy }: ServedModel) => ({ id, object: 'model', created, owned_by: ownedBy })

/** `GET /v1/models` */
export const createListModels =
  (engine: Engine) =>
  (exchange: Exchange): void =>
    sendJson(exchange, 200, { object: 'list', data: [modelJson(engine.model)] })

/** `GET /v1/models/{model}` */
export const createGetModel =
  (engine: Engine) =>
  (exchange: Exchange): void => {
    const { model = '' } = exchange.params
    if (model !== engine.model.id) throw ApiError.of('model_not_found', { model: model.slice(0, 100) })
    sendJson(exchange, 200, modelJson(engine.model))
  }
