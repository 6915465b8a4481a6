import type { ModelMemory, ModelPool, Models } from '../../models/contract.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import { type ListedModel, modelOperations } from '../contract/models.ts'

/** The models, for the owner of the server. */
export const createModelRoutes = (models: Pick<Models, 'list' | 'defaultPool'>): Route[] => [
  createRoute(modelOperations.listModels, () => ({
    data: models.list().map((pool) => listedModelJson(pool, pool === models.defaultPool)),
  })),
]

const listedModelJson = (pool: ModelPool, isDefault: boolean): ListedModel => {
  const { process, memory, ...status } = pool.status()
  const { id, created, ownedBy, contextTokens, features } = pool.model
  return {
    id,
    kind: pool.kind,
    contextTokens,
    capabilities: [...(features ?? [])],
    aliases: [...pool.aliases],
    isDefault,
    createdAt: created * 1000,
    ownedBy,
    ...status,
    memory: memory === null ? null : listedMemory(memory),
    gpu: process?.gpu ?? null,
    gpuFault: process?.gpuFault ?? null,
    slots: pool.slots,
    inFlight: pool.queue.running,
    waiting: pool.queue.waiting,
  }
}

const listedMemory = ({ weights, cache, buffers, gpuBytes = 0 }: ModelMemory) => ({ weights, cache, buffers, gpuBytes })
