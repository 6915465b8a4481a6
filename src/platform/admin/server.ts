import type { Clock } from '../../base/clock.ts'
import { version } from '../../base/version.ts'
import { describeConfig } from '../../config/describe-config.ts'
import type { Config } from '../../config/settings.ts'
import type { Engine } from '../../engine/contract.ts'
import type { Exchange } from '../../http/exchange.ts'
import { sendJson } from '../../http/respond.ts'
import type { Route } from '../../http/route.ts'
import type { RequestQueue } from '../../schedule/request-queue.ts'
import type { Store } from '../../store/contract.ts'
import { type RecentSpeed, recentSpeed } from '../../usage/recent-speed.ts'

export type ServerRooms = {
  config: Config
  engine: Engine
  requestQueue: Pick<RequestQueue, 'running' | 'waiting'>
  store: { ledger: Pick<Store['ledger'], 'since'> }
  clock: Clock
}

/** How the server itself is doing and how it was set up, for its owner to read. */
export const createServerRoutes = (rooms: ServerRooms): Route[] => [
  { method: 'GET', path: '/platform/admin/engine', access: 'owner', handle: createShowEngine(rooms) },
  { method: 'GET', path: '/platform/admin/configuration', access: 'owner', handle: createShowConfiguration(rooms) },
]

/** `GET /platform/admin/engine`: the model, who runs and waits, and how fast it went in the last minute. */
const createShowEngine = (rooms: ServerRooms) => {
  const measure = createMeasure(rooms)
  return async (exchange: Exchange): Promise<void> => {
    const { engine, requestQueue, config } = rooms
    const lastMinute = await measure()
    const { id, created, ownedBy, contextTokens, features } = engine.model
    sendJson(exchange, 200, {
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
    })
  }
}

/** `GET /platform/admin/configuration` */
const createShowConfiguration =
  ({ config }: ServerRooms) =>
  (exchange: Exchange): void =>
    sendJson(exchange, 200, { signUp: config.signUp, data: describeConfig(config) })

const spanMs = 60_000
const freshMs = 2_000

/** A minute of a busy server is many rows: however many pages are open, they are read once in a while. */
const createMeasure = ({ store, clock }: Pick<ServerRooms, 'store' | 'clock'>): (() => Promise<RecentSpeed>) => {
  let last: { askedMs: number; speed: Promise<RecentSpeed> } | null = null
  return () => {
    const askedMs = clock.monotonicMs()
    if (last === null || askedMs - last.askedMs >= freshMs) {
      const now = clock.now()
      last = { askedMs, speed: store.ledger.since(now - spanMs).then((rows) => recentSpeed(rows, now, spanMs)) }
    }
    return last.speed
  }
}
