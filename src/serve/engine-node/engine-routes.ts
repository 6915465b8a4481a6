import { chatOperations } from '../../api/chat-completions/operations.ts'
import { completionsOperations } from '../../api/completions/operations.ts'
import { embeddingsOperations } from '../../api/embeddings/operations.ts'
import type { GenerationHandler } from '../../api/generation/generation-handler.ts'
import type { InputsHandler } from '../../api/inputs/inputs-handler.ts'
import { modelOperations } from '../../api/models/operations.ts'
import { modelJson } from '../../api/models/routes.ts'
import { rerankOperations } from '../../api/rerank/operations.ts'
import { createDiagnosisControl, diagnosisOperations } from '../../control/control-diagnosis.ts'
import { modelOperations as controlModelOperations, createModelControl } from '../../control/control-models.ts'
import { showHealth } from '../../health/show-health.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import type { Models } from '../../models/contract.ts'
import type { NodeCaller } from '../../operations/callers.ts'
import { createOperationRoutes } from '../../operations/create-route.ts'
import type { Operation } from '../../operations/operation.ts'
import type { Route } from '../../operations/route.ts'

type EngineRoutesDependencies = {
  models: Models
  chatCompletions: GenerationHandler
  completions: GenerationHandler
  embeddings: InputsHandler
  rerank: InputsHandler
  score: InputsHandler
  diagnosis: Parameters<typeof createDiagnosisControl>[0]
}

/** Servers have them. */
const noPrices = { findPrice: () => null, currency: '' }

/** All that an engine node answers: to servers of the cluster, and to commands on its machine. */
export const createEngineRoutes = (dependencies: EngineRoutesDependencies): Route[] => {
  const { models, chatCompletions, completions, embeddings, rerank, score } = dependencies
  return [
    forNodes(chatOperations.createChatCompletion, asked(chatCompletions)),
    forNodes(completionsOperations.createCompletion, asked(completions)),
    forNodes(embeddingsOperations.createEmbedding, asked(embeddings)),
    forNodes(rerankOperations.createRerank, asked(rerank)),
    forNodes(rerankOperations.createScore, asked(score)),
    forNodes(modelOperations.listModels, (exchange) =>
      sendJson(exchange, 200, { object: 'list', data: models.list().map((pool) => modelJson(pool, noPrices)) }),
    ),
    { method: 'GET', path: '/healthz', access: 'socket', isProbe: true, handle: showHealth },
    ...createOperationRoutes(controlModelOperations, createModelControl(models)),
    ...createOperationRoutes(diagnosisOperations, createDiagnosisControl(dependencies.diagnosis)),
  ]
}

type NodeHandler = (exchange: Exchange, caller: NodeCaller) => Promise<void> | void

/** The operation of the public API, for nodes instead of keys. */
const forNodes = ({ method, path }: Operation, handle: NodeHandler): Route => ({
  method,
  path,
  access: 'node',
  handle,
})

/** The server has checked the key, so here there is none. */
const asked =
  (handle: GenerationHandler | InputsHandler): NodeHandler =>
  (exchange, { organisationId, ownerId }) =>
    handle(exchange, { organisationId, ownerId, key: null })
