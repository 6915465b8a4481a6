import { ApiError } from '../../base/api-error.ts'
import { shownModelName } from '../../base/model-name.ts'
import { type ApiStyle, openAiStyle } from '../../http/api-style.ts'
import type { Exchange } from '../../http/exchange.ts'
import { mayUseModel } from '../../keys/key-guard.ts'
import type { ModelPool, Models } from '../../models/contract.ts'
import { modelNames } from '../../models/model-names.ts'
import type { PriceLookup } from '../../models/price-lookup.ts'
import type { AnswerOf } from '../../operations/call.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import { microsPerUnit, type Price } from '../../prices/price.ts'
import type { KeyRecord } from '../../store/contract.ts'
import { modelOperations } from './operations.ts'

/** The current price of a model, and the currency of all of them. */
export type ModelPrices = { findPrice: PriceLookup; currency: string }

/** The official fields, then ours. */
export const modelJson = ({ model, kind, aliases }: ModelPool, { findPrice, currency }: ModelPrices) => ({
  id: model.id,
  object: 'model' as const,
  created: model.created,
  owned_by: model.ownedBy,
  kind,
  aliases,
  context_length: model.contextTokens,
  capabilities: model.features === null ? null : [...model.features].sort(),
  endpoints: endpoints[kind === 'chat' && model.parsesAnswers ? 'upstreamChat' : kind],
  price: priceJson(findPrice(model.id), currency),
})

const textEndpoints = ['/v1/chat/completions', '/v1/responses', '/v1/messages', '/v1/completions']
const endpoints = {
  // Tokens are known only of models that Helix runs itself.
  chat: [...textEndpoints, '/v1/tokenize', '/v1/detokenize', '/v1/tokenizer_info'],
  upstreamChat: textEndpoints,
  embedding: ['/v1/embeddings'],
  rerank: ['/v1/rerank', '/v1/score'],
}

const priceJson = (price: Price | null, currency: string) =>
  price === null
    ? null
    : {
        currency,
        prompt: price.promptMicros / microsPerUnit,
        cached: price.cachedMicros / microsPerUnit,
        completion: price.completionMicros / microsPerUnit,
      }

/** As in Anthropic's API, which clients of that API ask for by their version header. */
const modelInfoJson = ({ model: { id, created, contextTokens } }: ModelPool) => ({
  type: 'model' as const,
  id,
  display_name: id,
  created_at: new Date(created * 1000).toISOString(),
  max_input_tokens: contextTokens,
  max_tokens: contextTokens,
  // The official service has these of its own models.
  capabilities: null,
  line: null,
  lifecycle: 'active' as const,
  deprecated_at: null,
  retires_at: null,
})

const isAnthropic = ({ request }: Exchange): boolean => request.headers['anthropic-version'] !== undefined

/** Those that the key may use; all of them for a member in the API reference. */
export const createListModels =
  (models: Pick<Models, 'list'>, prices: ModelPrices) =>
  (exchange: Exchange, { key }: { key: KeyRecord | null }): AnswerOf<typeof modelOperations.listModels> => {
    const pools = models.list().filter((pool) => key === null || mayUseModel(key, modelNames(pool)))
    if (!isAnthropic(exchange)) return { object: 'list', data: pools.map((pool) => modelJson(pool, prices)) }
    const [first_id = null, last_id = null] = [pools.at(0)?.model.id, pools.at(-1)?.model.id]
    return { data: pools.map(modelInfoJson), has_more: false, first_id, last_id }
  }

type ModelRoutesDependencies = { models: Pick<Models, 'list' | 'find'>; prices: ModelPrices; anthropicStyle: ApiStyle }

export const createModelRoutes = ({ models, prices, anthropicStyle }: ModelRoutesDependencies): Route[] => {
  const listModels = createListModels(models, prices)
  const style: Route['style'] = (headers) => (headers['anthropic-version'] === undefined ? openAiStyle : anthropicStyle)
  return [
    createRoute(modelOperations.listModels, ({ exchange, caller }) => listModels(exchange, caller), { style }),
    createRoute(
      modelOperations.getModel,
      ({ exchange, caller: { key }, params: { model } }) => {
        const pool = models.find(model)
        if (pool === null || !mayUseModel(key, modelNames(pool)))
          throw ApiError.of('model_not_found', { model: shownModelName(model) })
        return isAnthropic(exchange) ? modelInfoJson(pool) : modelJson(pool, prices)
      },
      { style },
    ),
  ]
}
