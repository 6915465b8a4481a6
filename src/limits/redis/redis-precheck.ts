import { ApiError } from '../../base/api-error.ts'
import type { createEntityLimits } from '../entity-limits.ts'
import type { LimitedEntity, Moment } from '../limited-entity.ts'
import type { Caller, PendingRequest, Precheck } from '../limiter-contract.ts'
import { rateLimitHeaders } from '../rate-limit-headers.ts'
import { leastCostMicros, refusalWithoutBody } from '../refusal-without-body.ts'
import { type RefusedSettings, tooManyRefused } from '../too-many-refused.ts'
import type { AskRedis } from './ask-redis.ts'
import { clearlyFits } from './clearly-fits.ts'
import type { createDecideAlone } from './decide-alone.ts'
import type { LimitsConnection } from './limits-connection.ts'
import { limitsUnavailable } from './limits-unavailable.ts'
import type { NodeRequests } from './node-requests.ts'
import type { RedisAdmission } from './redis-admission.ts'
import { createRedisPending } from './redis-pending.ts'
import { withOrWithoutRedis } from './with-or-without-redis.ts'

type Dependencies = {
  askRedis: AskRedis
  alone: ReturnType<typeof createDecideAlone>
  admission: RedisAdmission
  connection: Pick<LimitsConnection, 'isReady'>
  requests: NodeRequests
  entityLimits: ReturnType<typeof createEntityLimits>
  settings: RefusedSettings & { currency: string }
  hasFreeModel(): boolean
  nodeCount(): number
  nextId(): string
  moment(): Moment
}

type Decided = {
  entities: readonly LimitedEntity[]
  at: Moment
  /** Null: decided by this node, while Redis is away. */
  isAdmitted: boolean | null
}

/** Prechecks: by this node alone if a request is far from all limits, else by Redis, or without it while it is away. */
export class RedisPrecheck {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  async precheck(caller: Caller, { model, isReplay, isOnlyCheck = false }: Precheck): Promise<PendingRequest> {
    const { requests, nextId } = this.#dependencies
    const passed = isOnlyCheck ? null : await this.#checkHere(caller)
    if (passed !== null) return passed
    const decision = await this.#check(caller, model, nextId())
    if (!(decision instanceof ApiError)) return decision
    if (isReplay === null) throw decision
    // A replay is not counted: the request that it repeats may be the one that uses up the limit.
    if (await isReplay()) return this.#createPending(caller, nextId(), [])
    requests.refuse(caller, 1)
    throw decision
  }

  /** → waiting, for a request that is far from all limits. Null: Redis must be asked. */
  async #checkHere(caller: Caller): Promise<PendingRequest | null> {
    const { connection, requests, entityLimits, settings, nodeCount, nextId, moment } = this.#dependencies
    if (!connection.isReady()) return null
    const limits = await entityLimits.ofOrganisation(caller.organisationId)
    const entities = entityLimits.entities(caller, limits, requests.seen.of)
    const at = moment()
    const others = { nodes: nodeCount(), waiting: (id: string) => requests.waiting(id), settings }
    if (!requests.areFresh(entities, at) || !clearlyFits(entities, at, others)) return null
    const id = nextId()
    requests.wait(id, caller, at.day)
    return this.#createPending(caller, id, entities)
  }

  #check(caller: Caller, model: string, id: string): Promise<PendingRequest | ApiError> {
    const { askRedis, alone, hasFreeModel, moment } = this.#dependencies
    const amounts = (entities: readonly LimitedEntity[]) => ({
      leastCostMicros: leastCostMicros(entities, hasFreeModel),
    })
    return withOrWithoutRedis(
      () =>
        askRedis(caller, { what: 'precheck', id, amounts }, ({ status }, entities, at) =>
          this.#decide(caller, model, id, { entities, at, isAdmitted: status === 'ok' }),
        ),
      async () => {
        const entities = await alone.entitiesOf(caller)
        return this.#decide(caller, model, id, { entities, at: moment(), isAdmitted: null })
      },
    )
  }

  /** → entering, or the error for a request that is not a replay. */
  #decide(caller: Caller, model: string, id: string, { entities, at, isAdmitted }: Decided): PendingRequest | ApiError {
    const { requests, settings, hasFreeModel } = this.#dependencies
    if (isAdmitted !== true) {
      const flood = tooManyRefused(entities, at, settings)
      if (flood !== null) throw flood
      const costMicros = leastCostMicros(entities, hasFreeModel)
      const refusal = refusalWithoutBody(entities, at, { model, costMicros, currency: settings.currency })
      if (refusal !== null) return refusal
      if (isAdmitted === false) return limitsUnavailable()
    }
    requests.enter(id, caller, at.day)
    return this.#createPending(caller, id, entities)
  }

  #createPending(caller: Caller, id: string, entities: readonly LimitedEntity[]): PendingRequest {
    const { admission, requests, moment } = this.#dependencies
    return createRedisPending({
      id,
      requests,
      admit: (request) => admission.admit({ ...caller, ...request }, id),
      headers: () => rateLimitHeaders(entities, moment()),
      countRefused: (count) => requests.refuse(caller, count),
    })
  }
}
