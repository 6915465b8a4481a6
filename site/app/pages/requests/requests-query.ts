import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  RequestBodies,
  RequestList,
  RequestTimesSummary,
  ShownRequest,
} from '../../../../src/platform/contract/requests.ts'
import { platformGet } from '../../../platform/platform.ts'
import { firstPage } from '../../first-page.ts'
import { filterQuery, type RequestFilter } from './request-filter.ts'

const firstPageSize = 50
/** The further somebody reads back, the more is fetched at once. */
const laterPageSize = 200

export const requestsQuery = (filter: RequestFilter) =>
  infiniteQueryOptions({
    queryKey: ['requests', filter],
    queryFn: ({ pageParam, signal }) => {
      const page = pageParam === null ? `limit=${firstPageSize}` : `limit=${laterPageSize}&before=${pageParam}`
      return platformGet<RequestList>(`/requests?${page}&${filterQuery(filter)}`, signal)
    },
    initialPageParam: firstPage(),
    getNextPageParam: ({ next }) => next,
    // The stream keeps it current while it is shown; afterwards it is fetched again.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

/** Percentiles of what the filter finds. */
export const requestTimesQuery = (filter: RequestFilter) =>
  queryOptions({
    queryKey: ['request-times', filter],
    queryFn: ({ signal }) => platformGet<RequestTimesSummary>(`/requests/times?${filterQuery(filter)}`, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })

export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['request', id],
    queryFn: ({ signal }) => platformGet<ShownRequest>(`/requests/${encodeURIComponent(id)}`, signal),
    // A running request is refetched until it has ended.
    refetchInterval: ({ state: { data } }) => (data?.outcome === 'running' ? 1000 : false),
  })

/** They are written a moment after the request has ended. */
const writtenWithinMs = 5000

export const bodiesQuery = ({ id, endedAt }: Pick<ShownRequest, 'id' | 'endedAt'>) =>
  queryOptions({
    queryKey: ['request-bodies', id, endedAt],
    queryFn: ({ signal }) => platformGet<RequestBodies>(`/requests/${encodeURIComponent(id)}/bodies`, signal),
    refetchInterval: ({ state: { data } }) => {
      const isExpected = data !== undefined && data.days !== null && data.request === null
      return isExpected && endedAt !== null && Date.now() - endedAt < writtenWithinMs ? 1000 : false
    },
  })
