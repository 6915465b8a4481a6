import type { ApiError } from '../../base/api-error.ts'
import { computeMaxCostMicros } from '../../prices/compute-cost.ts'
import type { Price } from '../../prices/price.ts'
import { decide } from '../decide.ts'
import { everFittingTokens, fittingTokens } from '../fitting-tokens.ts'
import type { LimitedEntity, Moment } from '../limited-entity.ts'
import type { TokenRequest, TokenReservation } from '../limiter-contract.ts'
import { priceOf } from '../price-of.ts'
import { rateLimitHeaders } from '../rate-limit-headers.ts'
import { createRefusal } from '../refusal.ts'
import type { AskRedis } from './ask-redis.ts'
import type { createDecideAlone } from './decide-alone.ts'
import type { LimitsConnection } from './limits-connection.ts'
import { limitsUnavailable } from './limits-unavailable.ts'
import type { NodeRequests } from './node-requests.ts'
import { type Admitted, createRedisReservation } from './redis-reservation.ts'
import { withOrWithoutRedis } from './with-or-without-redis.ts'

type Dependencies = {
  askRedis: AskRedis
  alone: ReturnType<typeof createDecideAlone>
  connection: LimitsConnection
  requests: NodeRequests
  findPrice(model: string): Price | null
  currency: string
  moment(): Moment
}

/**
 * Admissions, and extensions of what was admitted: by Redis, or by this node while Redis is away. Either way the request goes on
 * to be `running`, or is refused (`live-request.ts`).
 */
export class RedisAdmission {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Throws the refusal. */
  admit(requested: TokenRequest, id: string): Promise<TokenReservation> {
    return withOrWithoutRedis(
      () => this.#admitWithRedis(requested, id),
      () => this.#admitAlone(requested, id),
    )
  }

  #admitWithRedis(requested: TokenRequest, id: string): Promise<TokenReservation> {
    const { askRedis, requests } = this.#dependencies
    const price = priceOf(requested, this.#dependencies)
    const amounts = (entities: readonly LimitedEntity[]) => {
      const ever = everFittingTokens(requested, price, entities)
      const { promptTokens, enoughCompletionTokens = ever, leastCompletionTokens = ever } = requested
      return { promptTokens, completionTokens: ever, enoughCompletionTokens, leastCompletionTokens, price }
    }
    return askRedis(requested, { what: 'admit', id, amounts }, ({ status, tokens, micros }, entities, at) => {
      const isFarFromLimits = requests.leaveEntering(id)
      if (status === 'no') throw this.#refusal(requested, entities, at)
      const reserved = { requests: 1, tokens, costMicros: micros }
      requests.begin(id, requested, at.day, reserved, isFarFromLimits)
      return this.#createReservation({ id, requested, price, reserved, entities, at })
    })
  }

  async #admitAlone(requested: TokenRequest, id: string): Promise<TokenReservation> {
    const { alone, connection, requests, moment } = this.#dependencies
    const entities = await alone.entitiesOf(requested)
    requests.leaveEntering(id)
    const price = priceOf(requested, this.#dependencies)
    const reserved = alone.fit(requested, price, entities)
    const at = moment()
    connection.noteRequest(requests.begin(id, requested, at.day, reserved, false))
    return this.#createReservation({ id, requested, price, reserved, entities, at })
  }

  /** Redis only says that the request does not fit; the reason and the wait follow from the counters in its answer. */
  #refusal(requested: TokenRequest, entities: readonly LimitedEntity[], at: Moment): ApiError {
    const { currency } = this.#dependencies
    const price = priceOf(requested, this.#dependencies)
    const { promptTokens, model } = requested
    const completionTokens = fittingTokens(requested, price, entities, at)
    const costMicros = price === null ? 0 : computeMaxCostMicros(promptTokens, completionTokens, price)
    const exceeded = decide(entities, { requests: 1, tokens: promptTokens + completionTokens, costMicros }, at)
    if (exceeded === null) return limitsUnavailable()
    const refused = { model, promptTokens, completionTokens, costMicros, currency }
    return createRefusal(exceeded, refused, at, rateLimitHeaders(entities, at))
  }

  #createReservation(admitted: Admitted): TokenReservation {
    const { requests, moment } = this.#dependencies
    const extend = (tokens: number): Promise<number> => this.#extend(admitted, tokens)
    return createRedisReservation(admitted, { requests, moment, extend })
  }

  #extend({ id, requested, price }: Admitted, tokens: number): Promise<number> {
    const { askRedis, alone, connection, requests } = this.#dependencies
    const { promptTokens } = requested
    const amounts = () => ({ promptTokens, completionTokens: tokens, price })
    return withOrWithoutRedis(
      () =>
        askRedis(requested, { what: 'extend', id, amounts }, ({ tokens: added, micros }) => {
          if (added > 0) requests.extend(id, added, micros)
          return added
        }),
      async () => {
        const added = Math.min(tokens, await alone.remaining(requested))
        const total = (connection.live.get(id)?.tokens ?? 0) + added - promptTokens
        requests.extend(id, added, price === null ? 0 : computeMaxCostMicros(promptTokens, total, price))
        return added
      },
    )
  }
}
