import type { Embeddings } from '../../api/embeddings/handler.ts'
import type { GenerationHandler } from '../../api/generation/generation-handler.ts'
import { modelJson } from '../../api/models/handler.ts'
import { createModelControlRoutes } from '../../control/model-routes.ts'
import { showHealth } from '../../health/show-health.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import type { NodeCaller, Route } from '../../http/route.ts'
import type { Models } from '../../models/contract.ts'

type EngineRoutesDependencies = {
  models: Models
  chatCompletions: GenerationHandler
  completions: GenerationHandler
  embeddings: Embeddings
}

/** Servers have them. */
const noPrices = { priceOf: () => null, currency: '' }

/** All that an engine node answers: to servers of the cluster, and to commands on its machine. */
export const createEngineRoutes = (dependencies: EngineRoutesDependencies): Route[] => {
  const { models, chatCompletions, completions, embeddings } = dependencies
  return [
    { method: 'POST', path: '/v1/chat/completions', access: 'node', handle: asked(chatCompletions) },
    { method: 'POST', path: '/v1/completions', access: 'node', handle: asked(completions) },
    { method: 'POST', path: '/v1/embeddings', access: 'node', handle: asked(embeddings) },
    {
      method: 'GET',
      path: '/v1/models',
      access: 'node',
      handle: (exchange) =>
        sendJson(exchange, 200, { object: 'list', data: models.list().map((pool) => modelJson(pool, noPrices)) }),
    },
    { method: 'GET', path: '/healthz', access: 'socket', isProbe: true, handle: showHealth },
    ...createModelControlRoutes(models),
  ]
}

/** The server has checked the key, so here there is none. */
const asked =
  (handle: GenerationHandler | Embeddings) =>
  (exchange: Exchange, { organisationId, ownerId }: NodeCaller): Promise<void> =>
    handle(exchange, { organisationId, ownerId, key: null })
