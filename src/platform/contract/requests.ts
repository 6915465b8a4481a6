import { abilities } from '../../accounts/teams/roles.ts'
import { limitScopes } from '../../config/limit-kinds.ts'
import { integerText } from '../../http/read-query.ts'
import { array, nullable, object, optional } from '../../http/schema/containers.ts'
import { boolean, oneOf, string } from '../../http/schema/scalars.ts'
import { described, named } from '../../http/schema/schema.ts'
import { byField } from '../../http/schema/variants.ts'
import type { Shape } from '../../operations/shape.ts'
import { hookActionNames } from '../../store/hook-actions.ts'
import { limitNames } from '../../store/limit-names.ts'
import { get, member } from './operation.ts'
import { bodyStorageFields } from './organisation.ts'
import { requestError } from './request-error.ts'
import { requestEndpoints, requestOutcomes } from './request-kinds.ts'
import { count, decimalCount, lastMomentMs, time } from './scalars.ts'

const scope = oneOf(...limitScopes)
const appliedLimit = nullable(object({ scope, limit: count, remaining: count }))

/** The one shape of a request. What is not known while it runs, or never existed, is null. */
const request = named(
  'Request',
  object({
    id: string({ pattern: '^req_' }),
    keyId: described('Null: the playground.', nullable(string())),
    model: nullable(string()),
    endpoint: oneOf(...requestEndpoints),
    stream: nullable(boolean),
    reservedTokens: nullable(count),
    limits: described(
      'The limits that admitted it; null if they were not recorded.',
      nullable(object({ requests: appliedLimit, tokens: appliedLimit })),
    ),
    ignoredFields: described(
      'Unknown fields that were left out of it: some of their paths, and how many more there were; null if there were none.',
      nullable(object({ names: array(string()), more: count })),
    ),
    hooks: described(
      'What hooks did with it and its answer.',
      array(object({ hook: string(), action: oneOf(...hookActionNames), count })),
    ),
    cachedFrom: described(
      'The request whose answer it was sent, from the cache; null if its answer was generated.',
      nullable(string()),
    ),
    startedAt: time,
    outcome: oneOf(...requestOutcomes),
    error: nullable(requestError),
    refusedBy: described(
      'The limit that refused it.',
      nullable(
        object({
          name: oneOf(...limitNames),
          scope,
          limit: count,
          used: count,
          requested: count,
          waitMs: described('Null: it is too large for the limit.', nullable(decimalCount)),
        }),
      ),
    ),
    leftOut: described('So many more were refused right after it and not recorded.', count),
    finishReason: nullable(string()),
    promptTokens: nullable(count),
    cachedTokens: nullable(count),
    completionTokens: nullable(count),
    reasoningTokens: nullable(count),
    costMicros: described('In millionths of the currency; null without a price.', nullable(count)),
    estimated: described('The upstream did not report all of the counts, or reported impossible ones.', boolean),
    upstreams: described(
      'Which upstreams answered it, the number of requests sent to upstreams, and whether one of them continued the answer of another; null for a model on this machine.',
      nullable(object({ names: array(string()), attempts: count, continued: boolean })),
    ),
    queueMs: nullable(decimalCount),
    firstTokenMs: nullable(decimalCount),
    tokensPerSecond: described(
      'After the first; null unless it was a stream long enough to measure.',
      nullable(decimalCount),
    ),
    pauses: described(
      'How often and for how long the answer was paused so that others had their turn; null if it was not.',
      nullable(object({ count, ms: decimalCount })),
    ),
    durationMs: nullable(decimalCount),
    endedAt: nullable(time),
  }),
)
export type ShownRequest = Shape<typeof request>
export type RequestOutcome = (typeof requestOutcomes)[number]

const requestList = object({
  data: described('Newest first.', array(request)),
  next: described('`before` of the next page; null at the end.', nullable(string())),
  live: described('`after` of the stream of what comes next.', nullable(string())),
})
export type RequestList = Shape<typeof requestList>

const progress = object({
  id: string({ pattern: '^req_' }),
  completionTokens: described('Of its answer, so far.', count),
  afterMs: described('How long after the beginning of the request that was.', count),
})
export type ShownProgress = Shape<typeof progress>

const requestEvent = byField('type', {
  requests: object({ type: oneOf('requests'), data: array(request) }),
  progress: described(
    'How far running requests have come: the newest fifty, about twice a second, those that went on since the last event. The first event has all of them.',
    object({ type: oneOf('progress'), data: array(progress) }),
  ),
  beat: object({ type: oneOf('beat') }),
  reset: object({ type: oneOf('reset') }),
})
/** `reset`: too much was missed, so the list has to be read again. */
export type RequestEvent = Shape<typeof requestEvent>

const storedText = nullable(
  object({ text: string(), isCut: described('It was longer, and only its beginning was stored.', boolean) }),
)
const requestBodies = object({ ...bodyStorageFields, request: storedText, answer: storedText })

const percentiles = described(
  'In milliseconds; null if none of them got that far.',
  nullable(object({ p50: decimalCount, p95: decimalCount, p99: decimalCount })),
)
const requestTimes = object({
  counted: described('Requests that have ended, without those that were refused.', count),
  isComplete: described('False: only the newest of them were counted.', boolean),
  firstTokenMs: percentiles,
  durationMs: percentiles,
})
export type RequestTimesSummary = Shape<typeof requestTimes>

const text = optional(string({ minLength: 1, maxLength: 254 }))
const moment = optional(integerText({ min: 0, max: lastMomentMs }))

const filterFields = {
  key: optional(described('ID of a key, or `playground`.', string({ minLength: 1, maxLength: 254 }))),
  model: text,
  endpoint: optional(oneOf(...requestEndpoints)),
  outcome: optional(oneOf(...requestOutcomes)),
  error: text,
  text: optional(
    described(
      'Part of the ID of a request; or of the code, status or message of its error.',
      string({ minLength: 1, maxLength: 254 }),
    ),
  ),
  since: moment,
  until: moment,
}
const filterQuery = object(filterFields)
export type RequestFilterQuery = ReturnType<typeof filterQuery>

export const requestOperations = {
  listRequests: get('/requests', member(abilities.see), 'Lists requests, those that were refused included.', {
    query: object({ ...filterFields, before: text, limit: optional(integerText({ min: 1, max: 200 })) }),
    answer: requestList,
  }),
  showRequestTimes: get('/requests/times', member(abilities.see), 'Shows percentiles of the times of requests.', {
    query: filterQuery,
    answer: requestTimes,
  }),
  followRequests: get(
    '/requests/events',
    member(abilities.see),
    'Streams requests that begin, go on, end or are refused.',
    {
      query: object({ after: optional(string({ maxLength: 4000 })) }),
      content: { 'text/event-stream': requestEvent.json },
    },
  ),
  showRequest: get('/requests/{request}', member(abilities.see), 'Shows a request.', { answer: request }),
  showRequestBodies: get(
    '/requests/{request}/bodies',
    member(abilities.readBodies),
    'Shows the stored prompt and answer of a request.',
    { answer: requestBodies },
  ),
}
