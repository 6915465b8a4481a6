import type { Config } from '../../config/settings.ts'
import { computeMaxCostMicros } from '../../prices/compute-cost.ts'
import type { Price } from '../../prices/price.ts'
import { decide } from '../decide.ts'
import type { createEntityLimits } from '../entity-limits.ts'
import { fittingTokens } from '../fitting-tokens.ts'
import type { LimitedEntity, Moment } from '../limited-entity.ts'
import type { Caller, TokenRequest } from '../limiter-contract.ts'
import { rateLimitHeaders } from '../rate-limit-headers.ts'
import { createRefusal } from '../refusal.ts'
import { remainingTokens } from '../remaining.ts'
import type { Amount } from '../usage-counters.ts'
import { limitsUnavailable, shareLimits } from './limits-unavailable.ts'
import type { NodeRequests } from './node-requests.ts'

type Dependencies = {
  requests: NodeRequests
  entityLimits: ReturnType<typeof createEntityLimits>
  nodeCount(): number
  settings: Pick<Config, 'limitsWithoutRedis' | 'currency'>
  moment(): Moment
}

/** Decisions while Redis is away, from what this node has counted itself, and within its share of the limits. */
export const createDecideAlone = ({ requests, entityLimits, nodeCount, settings, moment }: Dependencies) => {
  /** Throws if the caller cannot be served without Redis. */
  const findEntities = async (caller: Caller): Promise<LimitedEntity[]> => {
    const limits = await entityLimits.ofOrganisation(caller.organisationId)
    const entities = entityLimits.entities(caller, limits, requests.own.of)
    return shareLimits(entities, nodeCount(), settings.limitsWithoutRedis)
  }
  return {
    entitiesOf: findEntities,
    /** Throws the refusal. */
    fit(requested: TokenRequest, price: Price | null, entities: readonly LimitedEntity[]): Amount {
      const at = moment()
      const { promptTokens, model } = requested
      const completionTokens = fittingTokens(requested, price, entities, at)
      const costMicros = price === null ? 0 : computeMaxCostMicros(promptTokens, completionTokens, price)
      const amount = { requests: 1, tokens: promptTokens + completionTokens, costMicros }
      const exceeded = decide(entities, amount, at)
      if (exceeded === null) return amount
      // It may fit the whole limit, of which this node has only a share.
      if (exceeded.reason === 'too_large' && nodeCount() > 1) throw limitsUnavailable()
      const refused = { model, promptTokens, completionTokens, costMicros, currency: settings.currency }
      throw createRefusal(exceeded, refused, at, rateLimitHeaders(entities, at))
    },
    /** How many more tokens are left. */
    async remaining(caller: Caller): Promise<number> {
      try {
        return Math.max(0, remainingTokens(await findEntities(caller), moment()))
      } catch {
        return 0
      }
    },
  }
}
