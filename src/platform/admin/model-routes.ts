import { toAuditActor } from '../../accounts/actor.ts'
import { ApiError } from '../../base/api-error.ts'
import type { Exchange } from '../../http/exchange.ts'
import { freeBytes, readBody } from '../../http/read-body.ts'
import type { InstalledModel, ModelMemory, ModelPool, Models } from '../../models/contract.ts'
import { decideFit, estimateNeeded } from '../../models/hub/memory-fit.ts'
import type { ModelLibrary } from '../../models/manage/model-library.ts'
import { mainMemory } from '../../models/model-memory.ts'
import type { Person } from '../../operations/callers.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import { unreachableModels } from '../../upstreams/unreachable-models.ts'
import type { UpstreamRegistry } from '../../upstreams/upstream-registry.ts'
import { type ListedModel, modelOperations, uploadPartBytes } from '../contract/models.ts'
import { createActor } from '../create-actor.ts'

type ModelRoutesDependencies = {
  models: Pick<Models, 'list' | 'defaultPool'>
  library: ModelLibrary
  upstreams: Pick<UpstreamRegistry, 'list'>
  hubUrl: string
}

/** The models, for the owner of the server. */
export const createModelRoutes = ({ models, library, upstreams, hubUrl }: ModelRoutesDependencies): Route[] => {
  const by = ({ exchange, caller }: { exchange: Exchange; caller: Person }) =>
    toAuditActor(createActor(exchange, caller))
  return [
    createRoute(modelOperations.listModels, async () => {
      const capacity = await library.capacity()
      const { memoryBytes } = capacity
      const unreachable = unreachableModels(upstreams.list())
      return {
        data: models.list().map((pool) => ({
          ...listedModelJson(pool, pool === models.defaultPool, memoryBytes),
          ...(!pool.installed && unreachable.has(pool.model.id) ? { state: 'unreachable' as const } : {}),
        })),
        ...capacity,
        hubUrl,
      }
    }),
    createRoute(modelOperations.changeModel, (call) => library.change(by(call), call.params.name, call.body)),
    createRoute(modelOperations.makeModelDefault, (call) => library.setDefault(by(call), call.params.name)),
    createRoute(modelOperations.removeModel, (call) => library.remove(by(call), call.params.name)),
    createRoute(modelOperations.searchModelHub, async ({ query }) => ({
      data: await library.searchHub(query.search),
    })),
    createRoute(modelOperations.listHubFiles, async ({ query }) => {
      const [files, capacity] = await Promise.all([library.listHubFiles(query.repository), library.capacity()])
      const data = files.map((file) => ({
        ...file,
        neededBytes: estimateNeeded(file.sizeBytes),
        fit: decideFit(file.sizeBytes, capacity),
      }))
      return { data, ...capacity }
    }),
    createRoute(modelOperations.listPulls, async () => ({ data: await library.listPulls() })),
    createRoute(modelOperations.startPull, (call) =>
      library.startPull(by(call), call.body.source, call.body.name ?? null),
    ),
    createRoute(modelOperations.pausePull, (call) => library.pausePull(by(call), call.params.name)),
    createRoute(modelOperations.resumePull, (call) => library.resumePull(by(call), call.params.name)),
    createRoute(modelOperations.discardPull, (call) => library.discardPull(by(call), call.params.name)),
    createRoute(modelOperations.beginUpload, async (call) => ({
      id: await library.beginUpload(by(call), call.body),
      partBytes: uploadPartBytes,
    })),
    createRoute(modelOperations.sendUploadPart, async ({ exchange, params }) => {
      const offset = readOffset(params.offset)
      const parts = await readBody(exchange, uploadPartBytes)
      try {
        return { receivedBytes: await library.writeUpload(params.id, offset, parts) }
      } finally {
        parts.forEach(freeBytes)
        exchange.releaseBody()
      }
    }),
    createRoute(modelOperations.finishUpload, async (call) => ({
      name: await library.finishUpload(by(call), call.params.id),
    })),
    createRoute(modelOperations.abortUpload, ({ params }) => library.abortUpload(params.id)),
  ]
}

const readOffset = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw ApiError.of('invalid_model', { reason: 'The offset must be a whole number.' })
  return Number(text)
}

const listedModelJson = (pool: ModelPool, isDefault: boolean, memoryBytes: number): ListedModel => {
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
    installed: pool.installed ? installedJson(pool.installed, memoryBytes) : null,
    slots: pool.slots,
    inFlight: pool.queue.running,
    waiting: pool.queue.waiting,
  }
}

const installedJson = ({ needed, ...rest }: InstalledModel, memoryBytes: number) => ({
  ...rest,
  neededBytes: mainMemory(needed),
  fits: mainMemory(needed) <= memoryBytes,
})

const listedMemory = ({ weights, cache, buffers, gpuBytes = 0 }: ModelMemory) => ({ weights, cache, buffers, gpuBytes })
