import { ApiError } from '../../base/api-error.ts'
import type { Exchange } from '../../http/exchange.ts'
import { integerText, readQuery } from '../../http/read-query.ts'
import { sendJson } from '../../http/respond.ts'
import type { Member } from '../../http/route.ts'
import { object, optional } from '../../http/schema/containers.ts'
import { oneOf, shorten, string } from '../../http/schema/scalars.ts'
import type { RequestLogRecords, RequestPlace } from '../../store/request-log-contract.ts'
import { markText } from './mark-text.ts'
import { placeText, readPlace } from './place-text.ts'
import { requestJson } from './request-json.ts'

type Handle = (exchange: Exchange, member: Member) => Promise<void>

const text = optional(string({ minLength: 1, maxLength: 254 }))
const query = object({
  /** `playground` for what has no key. */
  key: text,
  model: text,
  outcome: optional(oneOf('running', 'completed', 'failed', 'client_closed', 'server_died', 'refused')),
  error: text,
  since: optional(integerText({ min: 0, max: 8_640_000_000_000_000 })),
  before: text,
  limit: optional(integerText({ min: 1, max: 200 })),
})

/** `GET /platform/requests`, newest first. `live` is where the stream of what comes next has to begin. */
export const createListRequests =
  (requestLog: Pick<RequestLogRecords, 'search' | 'mark'>): Handle =>
  async (exchange, { organisationId }) => {
    const { key, before, limit = 50, ...filter } = readQuery(exchange.request, query)
    // Asked for first: what happens in between is then told twice rather than not at all.
    const mark = await requestLog.mark(organisationId)
    const ofKey = key === undefined ? {} : { keyId: key === 'playground' ? null : key }
    const asked = { organisationId, ...filter, ...ofKey, before: placeOf(before), limit }
    const { rows, next } = await requestLog.search(asked)
    sendJson(exchange, 200, {
      data: rows.map(requestJson),
      next: next === null ? null : placeText(next),
      live: markText(mark) ?? null,
    })
  }

/** `GET /platform/requests/{request}` */
export const createShowRequest =
  (requestLog: Pick<RequestLogRecords, 'find'>): Handle =>
  async (exchange, { organisationId }) => {
    const { request: id = '' } = exchange.params
    const row = await requestLog.find(id)
    if (row === null || row.organisationId !== organisationId)
      throw ApiError.of('request_not_found', { id: shorten(id) })
    sendJson(exchange, 200, requestJson(row))
  }

const placeOf = (text: string | undefined): RequestPlace | null => {
  if (text === undefined) return null
  const place = readPlace(text)
  if (place !== null) return place
  throw ApiError.of(
    'refused_value',
    { path: 'before', reason: 'it must be the `next` value of a previous page' },
    { param: 'before' },
  )
}
