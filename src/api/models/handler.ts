import { ApiError } from '../../base/api-error.ts'
import type { ServedModel } from '../../engine/contract.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import type { KeyCaller } from '../../http/route.ts'
import { mayUseModel } from '../../keys/key-guard.ts'
import type { Models } from '../../models/contract.ts'
import { namesOf } from '../../models/names-of.ts'

const modelJson = ({ id, created, ownedBy }: ServedModel) => ({ id, object: 'model', created, owned_by: ownedBy })

/** `GET /v1/models`: those that the key may use. */
export const createListModels =
  (models: Pick<Models, 'list'>) =>
  (exchange: Exchange, { key }: KeyCaller): void => {
    const pools = models.list().filter((pool) => mayUseModel(key, namesOf(pool)))
    sendJson(exchange, 200, { object: 'list', data: pools.map(({ model }) => modelJson(model)) })
  }

/** `GET /v1/models/{model}`, by id or alias. */
export const createGetModel =
  (models: Pick<Models, 'find'>) =>
  (exchange: Exchange, { key }: KeyCaller): void => {
    const { model = '' } = exchange.params
    const pool = models.find(model)
    if (pool === null || !mayUseModel(key, namesOf(pool)))
      throw ApiError.of('model_not_found', { model: model.slice(0, 100) })
    sendJson(exchange, 200, modelJson(pool.model))
  }
