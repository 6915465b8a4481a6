import { ApiError } from '../../base/api-error.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import type { KeyCaller } from '../../http/route.ts'
import { mayUseModel } from '../../keys/key-guard.ts'
import type { ModelPool, Models } from '../../models/contract.ts'
import { namesOf } from '../../models/names-of.ts'

/** The official fields, then ours. */
const modelJson = ({ model: { id, created, ownedBy, contextTokens, features }, kind, aliases }: ModelPool) => ({
  id,
  object: 'model',
  created,
  owned_by: ownedBy,
  kind,
  aliases,
  context_length: contextTokens,
  capabilities: features === null ? null : [...features].sort(),
})

/** `GET /v1/models`: those that the key may use. */
export const createListModels =
  (models: Pick<Models, 'list'>) =>
  (exchange: Exchange, { key }: KeyCaller): void => {
    const pools = models.list().filter((pool) => mayUseModel(key, namesOf(pool)))
    sendJson(exchange, 200, { object: 'list', data: pools.map(modelJson) })
  }

/** `GET /v1/models/{model}`, by id or alias. */
export const createGetModel =
  (models: Pick<Models, 'find'>) =>
  (exchange: Exchange, { key }: KeyCaller): void => {
    const { model = '' } = exchange.params
    const pool = models.find(model)
    if (pool === null || !mayUseModel(key, namesOf(pool)))
      throw ApiError.of('model_not_found', { model: model.slice(0, 100) })
    sendJson(exchange, 200, modelJson(pool))
  }
