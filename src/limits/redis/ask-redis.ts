import { dayOf, monthOf } from '../../base/calendar.ts'
import type { Clock } from '../../base/clock.ts'
import type { Limits } from '../../config/limit-kinds.ts'
import type { Price } from '../../prices/price.ts'
import { noLimits } from '../../store/limit-names.ts'
import type { createEntityLimits } from '../entity-limits.ts'
import type { LimitedEntity, Moment } from '../limited-entity.ts'
import type { Caller } from '../limiter-contract.ts'
import { maxRefusedRequests, type RefusedSettings } from '../too-many-refused.ts'
import { isLittleReserved } from './clearly-fits.ts'
import type { LimitsConnection } from './limits-connection.ts'
import { limitsUnavailable } from './limits-unavailable.ts'
import type { createMissingSums } from './missing-sums.ts'
import type { NodeRequests } from './node-requests.ts'
import { type ScriptAnswer, updateCounters } from './read-answer.ts'
import { entityArguments, questionArguments } from './scripts/arguments.ts'

type Dependencies = {
  connection: LimitsConnection
  requests: NodeRequests
  loadMissing: ReturnType<typeof createMissingSums>
  entityLimits: ReturnType<typeof createEntityLimits>
  clock: Clock
  settings: RefusedSettings & { timeZone: string }
}

type Question = {
  what: 'precheck' | 'admit' | 'extend' | 'read'
  /** The id of the request. */
  id: string
  /** The amounts may depend on the limits. */
  amounts?: (entities: readonly LimitedEntity[]) => Partial<Amounts>
}

type Amounts = {
  promptTokens: number
  /** For an extension: how many more. */
  completionTokens: number
  enoughCompletionTokens: number
  leastCompletionTokens: number
  price: Price | null
  leastCostMicros: number
}

type Act<Result> = (answer: ScriptAnswer, entities: readonly LimitedEntity[], at: Moment) => Result
export type AskRedis = <Result>(caller: Caller, question: Question, act: Act<Result>) => Promise<Result>

/** Sums can expire between their load and the decision, but hardly several times. */
const maxLoads = 10

/** Asks for a decision, and loads the sums that it needs. `act` is called before anything else can happen on this node. */
export const createAskRedis = (dependencies: Dependencies): AskRedis => {
  const { connection, requests, loadMissing, entityLimits, clock, settings } = dependencies
  return async (caller, question, act) => {
    const limits = await entityLimits.ofOrganisation(caller.organisationId)
    for (let load = 0; load < maxLoads; load += 1) {
      requests.sweep()
      const entities = entityLimits.entities(caller, limits, requests.seen.of)
      const now = clock.now()
      const day = dayOf(now, settings.timeZone)
      // Far from all limits, it does no harm that ended requests still count with all their reserved tokens.
      const isFar = requests.stopWaiting(question.id)
      if (!isFar || !isLittleReserved(entities, day)) requests.sendEnded()
      const counted = entities.map((entity) => ({ entity, waiting: requests.waiting(entity.id) }))
      const args = scriptArguments(caller, question, counted, day, settings)
      const done = await connection.decide(args, day, (answer) => {
        if (answer.status === 'load') return { loads: answer.loads }
        updateCounters(entities, answer, day)
        const decided = answer.status === 'no' ? counted.map(withWaiting) : entities
        requests.noteSeen(entities, { nowMs: answer.nowMs, day })
        return { result: act(answer, decided, { nowMs: answer.nowMs, now, day, timeZone: settings.timeZone }) }
      })
      if ('result' in done) return done.result
      await loadMissing(done.loads, caller.organisationId)
    }
    throw limitsUnavailable()
  }
}

/** An entity, with how many of this node's requests were waiting when Redis was asked. */
type Counted = { entity: LimitedEntity; waiting: number }

/** As Redis has counted it: requests that waited may have been decided about since, and a refusal would have no reason. */
const withWaiting = ({ entity, waiting }: Counted): LimitedEntity => {
  const { counters } = entity
  return { ...entity, counters: { ...counters, entering: counters.entering + waiting } }
}

const none: Amounts = {
  promptTokens: 0,
  completionTokens: 0,
  enoughCompletionTokens: 0,
  leastCompletionTokens: 0,
  price: null,
  leastCostMicros: 0,
}

const scriptArguments = (
  { organisationId, key }: Caller,
  { what, id, amounts }: Question,
  counted: readonly Counted[],
  day: number,
  settings: RefusedSettings,
): (string | number)[] => {
  const { price, ...all }: Amounts = { ...none, ...amounts?.(counted.map(({ entity }) => entity)) }
  return [
    ...questionArguments.pack({
      ...{ what, id, day, month: monthOf(day), organisation: organisationId, key: key?.id ?? null },
      promptTokens: all.promptTokens,
      completionTokens: all.completionTokens,
      enoughTokens: all.enoughCompletionTokens,
      leastTokens: all.leastCompletionTokens,
      promptPrice: price === null ? null : Math.max(price.promptMicros, price.cachedMicros),
      completionPrice: price === null ? null : price.completionMicros,
      leastCostMicros: all.leastCostMicros,
    }),
    ...counted.flatMap(({ entity: { id: entityId, scope, limits }, waiting }) => {
      const maxima: Partial<Limits> = {}
      for (const { name, max } of limits) maxima[name] = max
      const refused = maxRefusedRequests(scope, settings) || null
      return entityArguments.pack({
        ...noLimits,
        ...maxima,
        id: entityId,
        refused,
        waiting,
      })
    }),
  ]
}
