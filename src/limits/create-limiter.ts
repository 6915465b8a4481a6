import { ApiError } from '../base/api-error.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import type { Caller, Limiter, PendingRequest } from './limiter-contract.ts'
import { createLimiterState, type LimiterStateDependencies } from './limiter-state.ts'
import { createPendingRequest } from './pending-request.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import { leastCostMicros, refusalWithoutBody } from './refusal-without-body.ts'
import { reserveTokens } from './reserve-tokens.ts'
import { addToWindow } from './sliding-window.ts'
import { type RefusedSettings, tooManyRefused } from './too-many-refused.ts'
import { takeUsageSnapshot } from './usage-snapshot.ts'

type LimiterDependencies = LimiterStateDependencies & {
  settings: RefusedSettings
  /** Whether a request may cost nothing, depending on its model. */
  hasFreeModel(): boolean
}

/** Call it before requests are admitted, and after the ledger has settled what an earlier process left open. */
export const createLimiter = async (dependencies: LimiterDependencies): Promise<Limiter> => {
  const { store, clock, settings, findPrice, hasFreeModel } = dependencies
  const state = await createLimiterState({ store, clock, settings, findPrice })
  const { moment, withEntities, countersOf, currency } = state

  const countRefused = ({ organisationId, key }: Caller, count: number): void => {
    const { nowMs } = moment()
    for (const id of key === null ? [organisationId] : [organisationId, key.id])
      addToWindow(countersOf(id).refused, nowMs, count)
  }

  const createPending = (caller: Caller, entities: readonly LimitedEntity[]): PendingRequest =>
    createPendingRequest({
      counterSets: entities.map(({ counters }) => counters),
      admit: (request, release) =>
        withEntities(caller, (current, at) => {
          release()
          return reserveTokens({ ...caller, ...request }, current, at, state)
        }),
      headers: () => rateLimitHeaders(entities, moment()),
      nowMs: () => moment().nowMs,
      countRefused: (count) => countRefused(caller, count),
    })

  /** Throws if too many were refused. */
  const findRefusal = (model: string, entities: readonly LimitedEntity[], at: Moment): ApiError | null => {
    const flood = tooManyRefused(entities, at, settings)
    if (flood !== null) throw flood
    const costMicros = leastCostMicros(entities, hasFreeModel)
    return refusalWithoutBody(entities, at, { model, costMicros, currency })
  }

  return {
    async precheck(caller, { model, isReplay }) {
      const decision = await withEntities(
        caller,
        (entities, at) => findRefusal(model, entities, at) ?? createPending(caller, entities),
      )
      if (!(decision instanceof ApiError)) return decision
      if (isReplay === null) throw decision
      // A replay is not counted: the request that it repeats may be the one that uses up the limit.
      if (await isReplay()) return createPending(caller, [])
      // Looking up the earlier request took work, unlike the refusals above.
      countRefused(caller, 1)
      throw decision
    },
    admit: (request) => withEntities(request, (entities, at) => reserveTokens(request, entities, at, state)),
    checkAndAdmit: (request) =>
      withEntities(request, (entities, at) => {
        const refusal = findRefusal(request.model, entities, at)
        if (refusal !== null) throw refusal
        return reserveTokens(request, entities, at, state)
      }),
    usageSnapshots: (organisationId, key) =>
      withEntities({ organisationId, key }, (entities, at) => entities.map((entity) => takeUsageSnapshot(entity, at))),
    forget: state.forget,
    refresh: state.refresh,
  }
}
