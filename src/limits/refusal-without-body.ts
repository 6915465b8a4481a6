import { decideWithoutBody } from './decide.ts'
import type { LimitExceeded } from './limit-exceeded.ts'
import type { LimitedEntity, Moment } from './limited-entity.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import { createRefusal } from './refusal.ts'

type Unread = { model: string; costMicros: number; currency: string }

/** The error for a request whose body has not been read yet; null if no limit is exceeded. */
export const refusalWithoutBody = (
  entities: readonly LimitedEntity[],
  at: Moment,
  { model, costMicros, currency }: Unread,
): LimitExceeded | null => {
  const exceeded = decideWithoutBody(entities, costMicros, at)
  if (exceeded === null) return null
  return createRefusal(exceeded, { model, ...minRequest, costMicros, currency }, at, rateLimitHeaders(entities, at))
}

/** The minimum cost of a request, whatever its model. */
export const leastCostMicros = (entities: readonly LimitedEntity[], hasFreeModel: () => boolean): number =>
  entities.some(hasCostLimit) && !hasFreeModel() ? 1 : 0

const minRequest = { promptTokens: 1, completionTokens: 0 }

const hasCostLimit = ({ limits }: LimitedEntity): boolean => limits.some(({ unit }) => unit === 'money')
