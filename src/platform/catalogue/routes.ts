import type { Clock } from '../../base/clock.ts'
import type { ModelPool, Models } from '../../models/contract.ts'
import type { PriceLookup } from '../../models/price-lookup.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import type { UsageRecords } from '../../store/ledger-contract.ts'
import { type CatalogueModel, modelOperations } from '../contract/models.ts'
import { createModelSpeeds } from './model-speeds.ts'

type CatalogueDependencies = {
  models: Pick<Models, 'list' | 'defaultPool'>
  findPrice: PriceLookup
  usage: Pick<UsageRecords, 'largest'>
  clock: Clock
  timeZone: string
  currency: string
}

/** The models as members see them: what each can do, costs, and how fast it was. */
export const createCatalogueRoutes = (dependencies: CatalogueDependencies): Route[] => {
  const { models, findPrice, usage, clock, timeZone, currency } = dependencies
  const readSpeeds = createModelSpeeds(usage, clock, timeZone)
  const json = (pool: ModelPool, speed: CatalogueModel['speed']): CatalogueModel => {
    const { id, contextTokens, features, parsesAnswers } = pool.model
    return {
      ...{ id, kind: pool.kind, contextTokens, capabilities: [...(features ?? [])], aliases: [...pool.aliases] },
      isDefault: pool === models.defaultPool,
      isLocal: parsesAnswers !== true,
      isAvailable: !['failed', 'stopped'].includes(pool.status().state),
      price: findPrice(id),
      speed,
    }
  }
  return [
    createRoute(modelOperations.listCatalogue, async () => {
      const speeds = await readSpeeds()
      return { data: models.list().map((pool) => json(pool, speeds.get(pool.model.id) ?? null)), currency }
    }),
  ]
}
