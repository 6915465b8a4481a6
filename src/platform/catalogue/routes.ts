import type { Clock } from '../../base/clock.ts'
import type { ModelPool, Models } from '../../models/contract.ts'
import type { PriceLookup } from '../../models/price-lookup.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import type { UsageRecords } from '../../store/ledger-contract.ts'
import { unreachableModels } from '../../upstreams/unreachable-models.ts'
import type { UpstreamRegistry } from '../../upstreams/upstream-registry.ts'
import { type CatalogueModel, modelOperations } from '../contract/models.ts'
import { createModelSpeeds } from './model-speeds.ts'

type CatalogueDependencies = {
  models: Pick<Models, 'list' | 'defaultPool'>
  upstreams: Pick<UpstreamRegistry, 'list'>
  findPrice: PriceLookup
  usage: Pick<UsageRecords, 'largest'>
  clock: Clock
  timeZone: string
  currency: string
}

/** The models as members see them: what each can do, costs, and how fast it was. */
export const createCatalogueRoutes = (dependencies: CatalogueDependencies): Route[] => {
  const { models, upstreams, findPrice, usage, clock, timeZone, currency } = dependencies
  const readSpeeds = createModelSpeeds(usage, clock, timeZone)
  const json = (pool: ModelPool, speed: CatalogueModel['speed'], isReachable: boolean): CatalogueModel => {
    const { id, contextTokens, features, parsesAnswers } = pool.model
    return {
      ...{ id, kind: pool.kind, contextTokens, capabilities: [...(features ?? [])], aliases: [...pool.aliases] },
      isDefault: pool === models.defaultPool,
      isLocal: parsesAnswers !== true,
      isAvailable: isReachable && !['failed', 'stopped'].includes(pool.status().state),
      price: findPrice(id),
      speed,
    }
  }
  return [
    createRoute(modelOperations.listCatalogue, async () => {
      const speeds = await readSpeeds()
      const unreachable = unreachableModels(upstreams.list())
      const isReachable = ({ installed, model }: ModelPool): boolean => !!installed || !unreachable.has(model.id)
      return {
        data: models.list().map((pool) => json(pool, speeds.get(pool.model.id) ?? null, isReachable(pool))),
        currency,
      }
    }),
  ]
}
