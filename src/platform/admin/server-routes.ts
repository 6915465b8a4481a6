import type { Clock } from '../../base/clock.ts'
import { createLookupCache } from '../../base/lookup-cache.ts'
import { fullVersion } from '../../base/version.ts'
import type { Config } from '../../config/settings.ts'
import { upstreamDefaultModel } from '../../config/upstream-default-model.ts'
import type { ModelPool, ModelState, Models } from '../../models/contract.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import type { ServerSettings } from '../../settings/server-settings.ts'
import type { Store } from '../../store/contract.ts'
import { type RecentSpeed, recentSpeed } from '../../usage/recent-speed.ts'
import { type EngineShown, serverOperations } from '../contract/server.ts'
import { configurationJson } from './setting-routes.ts'

type ServerRoutesDependencies = {
  config: Config
  models: Pick<Models, 'list' | 'defaultPool'>
  ledger: Pick<Store['ledger'], 'since'>
  clock: Clock
  settings: Pick<ServerSettings, 'list'>
}

/** The state and the settings of the server, for its owner. */
export const createServerRoutes = ({ config, models, ledger, clock, settings }: ServerRoutesDependencies): Route[] => {
  const measure = createSpeedMeter(ledger, clock)
  return [
    createRoute(serverOperations.showEngine, async (): Promise<EngineShown> => {
      const lastMinute = await measure()
      const pools = models.list()
      return {
        version: fullVersion,
        kind: upstreamDefaultModel(config) === null ? 'embedded' : 'upstream',
        state: engineState(models.defaultPool.status().state),
        models: pools.map(modelJson),
        slots: {
          total: sum(pools, ({ slots }) => slots),
          running: sum(pools, ({ queue }) => queue.running),
          waiting: sum(pools, ({ queue }) => queue.waiting),
          queueLimit: models.defaultPool.queue.limit,
        },
        lastMinute,
      }
    }),
    createRoute(serverOperations.showConfiguration, () => configurationJson(config, settings)),
  ]
}

const modelJson = ({ model: { id, created, ownedBy, contextTokens, features } }: ModelPool) => ({
  id,
  createdAt: created * 1000,
  ownedBy,
  contextTokens,
  features: [...(features ?? [])],
})

const sum = (pools: readonly ModelPool[], figure: (pool: ModelPool) => number): number =>
  pools.reduce((total, pool) => total + figure(pool), 0)

/** An unloaded model answers the next request, a failed one answers none. */
const engineState = (state: ModelState): EngineShown['state'] => {
  if (state === 'unloaded') return 'ready'
  return state === 'failed' ? 'stopped' : state
}

const spanMs = 60_000
const freshMs = 2_000

/** A minute of a busy server is many rows, so they are read once every two seconds however many pages are open. */
const createSpeedMeter = (ledger: Pick<Store['ledger'], 'since'>, clock: Clock): (() => Promise<RecentSpeed>) => {
  const load = async (): Promise<RecentSpeed> => {
    const now = clock.now()
    return recentSpeed(await ledger.since(now - spanMs), now, spanMs)
  }
  const cache = createLookupCache({ load, clock, freshMs, maxEntries: 1 })
  return async () => cache.get('last minute')
}
