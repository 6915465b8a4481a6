import { ApiError } from '../../base/api-error.ts'
import { shorten } from '../../http/schema/scalars.ts'
import { createRoute } from '../../operations/create-route.ts'
import type { Route } from '../../operations/route.ts'
import type { RequestFilter, RequestLogRecords, RequestPage, RequestPlace } from '../../store/request-log-contract.ts'
import { requestOperations } from '../contract/requests.ts'
import { createFollowRequests, type FollowRequestsDependencies } from './follow-requests.ts'
import { markText } from './mark-text.ts'
import { placeText, readPlace } from './place-text.ts'
import { readFilter } from './read-filter.ts'
import { requestJson } from './request-json.ts'
import { summariseTimes } from './summarise-times.ts'

/** Each looks at a thousand requests at most. */
const maxSearches = 10

type RequestRoutesDependencies = FollowRequestsDependencies & { requestLog: RequestLogRecords }

/** Requests to the model, with any key or in the playground, those that were refused included. */
export const createRequestRoutes = (dependencies: RequestRoutesDependencies): Route[] => {
  const { requestLog } = dependencies
  return [
    createRoute(requestOperations.listRequests, async ({ caller: { organisationId }, query }) => {
      const { before, limit = 50, ...filter } = query
      // Read first: what happens in between is then shown twice rather than not at all.
      const mark = await requestLog.mark(organisationId)
      const asked = { ...readFilter(organisationId, filter), before: requirePlace(before), limit }
      const { rows, next } = await searchSome(requestLog, asked)
      return {
        data: rows.map(requestJson),
        next: next === null ? null : placeText(next),
        live: markText(mark) ?? null,
      }
    }),
    // Before the route that matches any name.
    createRoute(requestOperations.showRequestTimes, ({ caller: { organisationId }, query }) =>
      summariseTimes(readFilter(organisationId, query), requestLog),
    ),
    createRoute(requestOperations.followRequests, createFollowRequests(dependencies)),
    createRoute(requestOperations.showRequest, async ({ caller, params }) => {
      const row = await requestLog.find(params.request)
      if (row === null || row.organisationId !== caller.organisationId)
        throw ApiError.of('request_not_found', { id: shorten(params.request) })
      return requestJson(row)
    }),
  ]
}

/** A search that finds nothing at first goes on a little: otherwise rare requests would be many clicks away. */
const searchSome = async (requestLog: RequestLogRecords, filter: RequestFilter): Promise<RequestPage> => {
  let page = await requestLog.search(filter)
  for (let more = 1; more < maxSearches && page.rows.length === 0 && page.next !== null; more += 1)
    page = await requestLog.search({ ...filter, before: page.next })
  return page
}

const requirePlace = (text: string | undefined): RequestPlace | null => {
  if (text === undefined) return null
  const place = readPlace(text)
  if (place !== null) return place
  const reason = 'it must be the `next` value of a previous page'
  throw ApiError.of('refused_value', { path: 'before', reason }, { param: 'before' })
}
