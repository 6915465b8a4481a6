import type { Clock } from '../../base/clock.ts'
import { version } from '../../base/version.ts'
import { describeConfig } from '../../config/describe-config.ts'
import type { Config } from '../../config/settings.ts'
import type { Engine } from '../../engine/contract.ts'
import type { Route } from '../../http/route.ts'
import type { RequestQueue } from '../../schedule/request-queue.ts'
import type { Store } from '../../store/contract.ts'
import { type RecentSpeed, recentSpeed } from '../../usage/recent-speed.ts'
import { type EngineShown, serverOperations } from '../contract/server.ts'
import { createRoute } from '../create-route.ts'

type ServerRoutesDependencies = {
  config: Config
  engine: Engine
  requestQueue: Pick<RequestQueue, 'running' | 'waiting'>
  ledger: Pick<Store['ledger'], 'since'>
  clock: Clock
}

/** The state and the settings of the server, for its owner. */
export const createServerRoutes = ({
  config,
  engine,
  requestQueue,
  ledger,
  clock,
}: ServerRoutesDependencies): Route[] => {
  const measure = createSpeedMeter(ledger, clock)
  return [
    createRoute(serverOperations.showEngine, async (): Promise<EngineShown> => {
      const lastMinute = await measure()
      const { id, created, ownedBy, contextTokens, features } = engine.model
      return {
        version,
        kind: config.upstreamUrl === null ? 'embedded' : 'upstream',
        state: engine.state(),
        models: [{ id, createdAt: created * 1000, ownedBy, contextTokens, features: [...(features ?? [])] }],
        slots: {
          total: engine.slots,
          running: requestQueue.running,
          waiting: requestQueue.waiting,
          queueLimit: config.queueLimit,
        },
        lastMinute,
      }
    }),
    createRoute(serverOperations.showConfiguration, () => ({ signUp: config.signUp, data: describeConfig(config) })),
  ]
}

const spanMs = 60_000
const freshMs = 2_000

/** A minute of a busy server is many rows, so they are read once every two seconds however many pages are open. */
const createSpeedMeter = (ledger: Pick<Store['ledger'], 'since'>, clock: Clock): (() => Promise<RecentSpeed>) => {
  let last: { askedMs: number; speed: Promise<RecentSpeed> } | null = null
  return () => {
    const askedMs = clock.monotonicMs()
    if (last === null || askedMs - last.askedMs >= freshMs) {
      const now = clock.now()
      last = { askedMs, speed: ledger.since(now - spanMs).then((rows) => recentSpeed(rows, now, spanMs)) }
    }
    return last.speed
  }
}
