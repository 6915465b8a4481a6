/**
 * The limiter of a cluster: the counters of all nodes are in Redis, and one script decides about a request and reserves for it.
 * What the script answers is read into the same counters as without Redis, so that errors, waits and headers are the same.
 */
import { ApiError } from '../../base/api-error.ts'
import { dayOf } from '../../base/calendar.ts'
import type { Config } from '../../config/settings.ts'
import { RedisAway } from '../../redis/redis.ts'
import { createEntityLimits } from '../entity-limits.ts'
import type { LimitedEntity, Moment } from '../limited-entity.ts'
import type { Caller, Limiter, PendingRequest } from '../limiter-contract.ts'
import type { LimiterStateDependencies } from '../limiter-state.ts'
import { rateLimitHeaders } from '../rate-limit-headers.ts'
import { leastCostMicros, refusalWithoutBody } from '../refusal-without-body.ts'
import { type RefusedSettings, tooManyRefused } from '../too-many-refused.ts'
import { usageSnapshotOf } from '../usage-snapshot.ts'
import { createAskRedis } from './ask-redis.ts'
import { clearlyFits } from './clearly-fits.ts'
import { createDecideAlone } from './decide-alone.ts'
import { createKnownNodes } from './known-nodes.ts'
import { LimitsConnection, type LimitsConnectionDependencies } from './limits-connection.ts'
import { limitsUnavailable } from './limits-unavailable.ts'
import { createMissingSums } from './missing-sums.ts'
import { NodeRequests } from './node-requests.ts'
import { RedisAdmission } from './redis-admission.ts'
import { createRedisPending } from './redis-pending.ts'
import { withOrWithoutRedis } from './with-or-without-redis.ts'

type Dependencies = LimiterStateDependencies &
  Omit<LimitsConnectionDependencies, 'ledger' | 'timeOf' | 'nodeCount'> & {
    /** The ids of all nodes that live, this one included. */
    listNodes(): Promise<readonly string[]>
    settings: RefusedSettings & Pick<Config, 'limitsWithoutRedis'>
    hasFreeModel(): boolean
    /** In tests, that of the clock. */
    timeOf?: 'redis' | 'clock'
  }

export interface RedisLimiter extends Limiter {
  /** The ledger has settled what this node left open: what it reserved is released, now or once Redis has returned. */
  releaseNode(nodeId: string): Promise<void>
  /** Once the ledger has written all requests of this node. */
  close(): Promise<void>
}

/** How often a node looks for the others, and whether Redis still knows it. */
const lookMs = 5_000

/** To be called after the ledger has settled what an earlier process of this node left open. */
export const openRedisLimiter = async (dependencies: Dependencies): Promise<RedisLimiter> => {
  const { redis, nodeId, listNodes, store, clock, log, settings, priceOf, hasFreeModel } = dependencies
  const { timeOf = 'redis' } = dependencies
  const { timeZone, currency } = settings
  const today = (): number => dayOf(clock.now(), timeZone)
  const release = (id: string): Promise<void> => connection.releaseNode(id, today())
  const nodes = createKnownNodes({ redis, log, listNodes, release })
  const nodeCount = nodes.count
  const connection = new LimitsConnection({ redis, nodeId, nodeCount, ledger: store.ledger, clock, log, timeOf })
  const requests = new NodeRequests(connection, clock)
  const entityLimits = createEntityLimits({ store, clock, settings })
  const loadMissing = createMissingSums({ redis, usage: store.usage })
  const moment = (): Moment => ({ nowMs: connection.nowMs(), now: clock.now(), day: today(), timeZone })
  const askRedis = createAskRedis({ connection, requests, loadMissing, entityLimits, clock, settings })
  const alone = createDecideAlone({ requests, entityLimits, nodeCount, settings, moment })
  const admission = new RedisAdmission({ askRedis, alone, connection, requests, priceOf, currency, moment })
  let lastId = 0
  const nextId = (): string => {
    lastId += 1
    return lastId.toString(36)
  }

  const pendingOf = (caller: Caller, id: string, entities: readonly LimitedEntity[]): PendingRequest =>
    createRedisPending({
      id,
      requests,
      admit: (request) => admission.admit({ ...caller, ...request }, id),
      headers: () => rateLimitHeaders(entities, moment()),
      countRefused: (count) => requests.refuse(caller, count),
    })

  /** The pending request, or the error that a replay does not get. */
  const decideWithoutBody = (
    caller: Caller,
    model: string,
    id: string,
    { entities, at, isAdmitted }: { entities: readonly LimitedEntity[]; at: Moment; isAdmitted: boolean | null },
  ): PendingRequest | ApiError => {
    const flood = isAdmitted === true ? null : tooManyRefused(entities, at, settings)
    if (flood !== null) throw flood
    const costMicros = leastCostMicros(entities, hasFreeModel)
    const refusal = isAdmitted === true ? null : refusalWithoutBody(entities, at, { model, costMicros, currency })
    if (refusal !== null) return refusal
    if (isAdmitted === false) return limitsUnavailable()
    requests.enter(id, caller, at.day)
    return pendingOf(caller, id, entities)
  }

  /** Without Redis, for a request that is far from all limits. Null: Redis must be asked. */
  const precheckHere = async (caller: Caller): Promise<PendingRequest | null> => {
    if (!connection.isReady()) return null
    const limits = await entityLimits.ofOrganisation(caller.organisationId)
    const entities = entityLimits.entities(caller, limits, requests.seen.of)
    const at = moment()
    const others = { nodes: nodeCount(), waiting: (id: string) => requests.waiting(id), settings }
    if (!requests.areFresh(entities, at) || !clearlyFits(entities, at, others)) return null
    const id = nextId()
    requests.wait(id, caller, at.day)
    return pendingOf(caller, id, entities)
  }

  let isClosed = false
  let cancelLook = (): void => {}
  const lookOften = (): void => {
    cancelLook = clock.after(lookMs, () => {
      connection.check()
      void nodes.look().then(() => {
        if (!isClosed) lookOften()
      })
    })
  }
  try {
    await nodes.look()
    await release(nodeId())
    await connection.register(today(), false)
    lookOften()
  } catch (error) {
    connection.close()
    throw error
  }

  return {
    async precheck(caller, { model, isReplay, isOnlyCheck = false }) {
      const passed = isOnlyCheck ? null : await precheckHere(caller)
      if (passed !== null) return passed
      const id = nextId()
      const amounts = (entities: readonly LimitedEntity[]) => ({
        leastCostMicros: leastCostMicros(entities, hasFreeModel),
      })
      const decision = await withOrWithoutRedis(
        () =>
          askRedis(caller, { what: 'precheck', id, amounts }, ({ status }, entities, at) =>
            decideWithoutBody(caller, model, id, { entities, at, isAdmitted: status === 'ok' }),
          ),
        async () => {
          const entities = await alone.entitiesOf(caller)
          return decideWithoutBody(caller, model, id, { entities, at: moment(), isAdmitted: null })
        },
      )
      if (!(decision instanceof ApiError)) return decision
      if (isReplay === null) throw decision
      // A replay counts for no entity: the request that it repeats may be what uses up the limit.
      if (await isReplay()) return pendingOf(caller, nextId(), [])
      requests.refuse(caller, 1)
      throw decision
    },
    admit: (requested) => admission.admit(requested, nextId()),
    usageSnapshots: (organisationId, key) =>
      withOrWithoutRedis(
        () =>
          askRedis({ organisationId, key }, { what: 'read', id: '' }, (_answer, entities, at) =>
            entities.map((entity) => usageSnapshotOf(entity, at)),
          ),
        () => Promise.reject(limitsUnavailable()),
      ),
    forget: entityLimits.forget,
    releaseNode: nodes.end,
    async close() {
      isClosed = true
      cancelLook()
      requests.sendEnded()
      connection.close()
      await release(nodeId()).catch((error: unknown) => {
        if (!(error instanceof RedisAway)) throw error
      })
    },
  }
}
