import { ApiError } from '../../base/api-error.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import type { KeyCaller } from '../../http/route.ts'
import { mayUseModel } from '../../keys/key-guard.ts'
import type { ModelPool, Models } from '../../models/contract.ts'
import { namesOf } from '../../models/names-of.ts'

/** The official fields, then ours. */
const modelJson = ({ model, kind, aliases }: ModelPool) => ({
  id: model.id,
  object: 'model',
  created: model.created,
  owned_by: model.ownedBy,
  kind,
  aliases,
  context_length: model.contextTokens,
  capabilities: model.features === null ? null : [...model.features].sort(),
  endpoints: kind === 'embedding' ? ['/v1/embeddings'] : model.parsesAnswers ? textEndpoints : ownEndpoints,
})

const textEndpoints = ['/v1/chat/completions', '/v1/responses', '/v1/messages', '/v1/completions']
/** Only a model that Helix runs itself tells its tokens. */
const ownEndpoints = [...textEndpoints, '/v1/tokenize', '/v1/detokenize']

/** As in Anthropic's API, which clients of that API ask for by their version header. */
const modelInfoJson = ({ model: { id, created, contextTokens } }: ModelPool) => ({
  type: 'model',
  id,
  display_name: id,
  created_at: new Date(created * 1000).toISOString(),
  max_input_tokens: contextTokens,
  max_tokens: contextTokens,
  // The official service has these of its own models.
  capabilities: null,
  line: null,
  lifecycle: 'active',
  deprecated_at: null,
  retires_at: null,
})

const isAnthropic = ({ request }: Exchange): boolean => request.headers['anthropic-version'] !== undefined

/** `GET /v1/models`: those that the key may use. */
export const createListModels =
  (models: Pick<Models, 'list'>) =>
  (exchange: Exchange, { key }: KeyCaller): void => {
    const pools = models.list().filter((pool) => mayUseModel(key, namesOf(pool)))
    if (isAnthropic(exchange)) {
      const [first_id = null, last_id = null] = [pools.at(0)?.model.id, pools.at(-1)?.model.id]
      sendJson(exchange, 200, { data: pools.map(modelInfoJson), has_more: false, first_id, last_id })
    } else sendJson(exchange, 200, { object: 'list', data: pools.map(modelJson) })
  }

/** `GET /v1/models/{model}`, by id or alias. */
export const createGetModel =
  (models: Pick<Models, 'find'>) =>
  (exchange: Exchange, { key }: KeyCaller): void => {
    const { model = '' } = exchange.params
    const pool = models.find(model)
    if (pool === null || !mayUseModel(key, namesOf(pool)))
      throw ApiError.of('model_not_found', { model: model.slice(0, 100) })
    sendJson(exchange, 200, isAnthropic(exchange) ? modelInfoJson(pool) : modelJson(pool))
  }
