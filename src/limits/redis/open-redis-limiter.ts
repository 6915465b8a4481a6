/**
 * The limiter of a cluster: the counters of all nodes are in Redis, and one script decides about a request and reserves for it.
 * What the script answers is read into the same counters as without Redis, so that errors, waits and headers are the same.
 */
import { dayOf } from '../../base/calendar.ts'
import { errorText } from '../../base/log.ts'
import type { Config } from '../../config/settings.ts'
import { RedisAway } from '../../redis/redis.ts'
import { createEntityLimits } from '../entity-limits.ts'
import type { Moment } from '../limited-entity.ts'
import type { Limiter } from '../limiter-contract.ts'
import type { LimiterStateDependencies } from '../limiter-state.ts'
import type { RefusedSettings } from '../too-many-refused.ts'
import { takeUsageSnapshot } from '../usage-snapshot.ts'
import { createAskRedis } from './ask-redis.ts'
import { createDecideAlone } from './decide-alone.ts'
import { createKnownNodes } from './known-nodes.ts'
import { LimitsConnection, type LimitsConnectionDependencies } from './limits-connection.ts'
import { limitsUnavailable } from './limits-unavailable.ts'
import { createMissingSums } from './missing-sums.ts'
import { NodeRequests } from './node-requests.ts'
import { createRecounts, type Recounted } from './recounts.ts'
import { RedisAdmission } from './redis-admission.ts'
import { RedisPrecheck } from './redis-precheck.ts'
import { withOrWithoutRedis } from './with-or-without-redis.ts'

type Dependencies = LimiterStateDependencies &
  Omit<LimitsConnectionDependencies, 'ledger' | 'timeSource'> & {
    settings: RefusedSettings & Pick<Config, 'limitsWithoutRedis'>
    hasFreeModel(): boolean
    /** The clock of the windows; tests use the injected one. */
    timeSource?: 'redis' | 'clock'
  }

export interface RedisLimiter extends Limiter {
  /** Releases the reservations of a node whose requests the ledger has settled, now or once Redis has returned. */
  releaseNode(nodeId: string): Promise<void>
  /** The ledger has other counts of a request than it was told: its sums are read there again, now or once Redis has returned. */
  recount(corrected: Recounted): void
  /** Call it once the ledger has written all requests of this node. */
  close(): Promise<void>
}

/** How often a node checks which other nodes are alive, and whether Redis still knows it. */
const lookMs = 5_000

/** Call it after the ledger has settled what an earlier process of this node left open. */
export const openRedisLimiter = async (dependencies: Dependencies): Promise<RedisLimiter> => {
  const { redis, nodeId, nodes, store, clock, log, settings, findPrice, hasFreeModel } = dependencies
  const { timeSource = 'redis' } = dependencies
  const { timeZone, currency } = settings
  const today = (): number => dayOf(clock.now(), timeZone)
  const release = (id: string): Promise<void> => connection.releaseNode(id, today())
  const known = createKnownNodes({ redis, log, nodes, release })
  const nodeCount = known.count
  const recounts = createRecounts(redis)
  const connection = new LimitsConnection({ redis, nodeId, nodes, ledger: store.ledger, clock, log, timeSource })
  const requests = new NodeRequests(connection, clock)
  const entityLimits = createEntityLimits({ store, clock, settings })
  const loadMissing = createMissingSums({ redis, usage: store.usage })
  const moment = (): Moment => ({ nowMs: connection.nowMs(), now: clock.now(), day: today(), timeZone })
  const askRedis = createAskRedis({ connection, requests, loadMissing, entityLimits, clock, settings })
  const alone = createDecideAlone({ requests, entityLimits, nodeCount, settings, moment })
  const admission = new RedisAdmission({ askRedis, alone, connection, requests, findPrice, currency, moment })
  let lastId = 0
  const nextId = (): string => {
    lastId += 1
    return lastId.toString(36)
  }

  const prechecks = new RedisPrecheck({
    ...{ askRedis, alone, admission, connection, requests, entityLimits },
    ...{ settings, hasFreeModel, nodeCount, nextId, moment },
  })

  const sendRecounts = (): void =>
    void recounts.send().catch((error: unknown) => {
      if (!(error instanceof RedisAway)) log.error('limits_not_counted', { error: errorText(error) })
    })
  let isClosed = false
  let cancelLook = (): void => {}
  const lookOften = (): void => {
    cancelLook = clock.after(lookMs, () => {
      connection.check()
      sendRecounts()
      void known.look().then(() => {
        if (!isClosed) lookOften()
      })
    })
  }
  try {
    await known.look()
    await release(nodeId())
    await connection.register(today(), false)
    lookOften()
  } catch (error) {
    connection.close()
    throw error
  }

  return {
    precheck: (caller, precheck) => prechecks.precheck(caller, precheck),
    admit: (requested) => admission.admit(requested, nextId()),
    usageSnapshots: (organisationId, key) =>
      withOrWithoutRedis(
        () =>
          askRedis({ organisationId, key }, { what: 'read', id: '' }, (_answer, entities, at) =>
            entities.map((entity) => takeUsageSnapshot(entity, at)),
          ),
        () => Promise.reject(limitsUnavailable()),
      ),
    forget: entityLimits.forget,
    refresh: entityLimits.refresh,
    releaseNode: known.end,
    recount(corrected) {
      recounts.add(corrected)
      // After what the ledger has just written of the request: that is sent at the end of this turn.
      setImmediate(sendRecounts)
    },
    async close() {
      isClosed = true
      cancelLook()
      requests.sendEnded()
      connection.close()
      await recounts.send().catch(ignoreAway)
      await release(nodeId()).catch(ignoreAway)
    },
  }
}

const ignoreAway = (error: unknown): void => {
  if (!(error instanceof RedisAway)) throw error
}
