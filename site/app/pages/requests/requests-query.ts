import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ShownRequest } from '../../../../src/platform/contract/requests.ts'
import type { Platform } from '../../../platform/platform.ts'
import { firstPage } from '../../first-page.ts'
import { filterQuery, type RequestFilter } from './request-filter.ts'

const firstPageSize = 50
/** The further somebody reads back, the more is fetched at once. */
const laterPageSize = 200

export const requestsQuery = (platform: Platform, filter: RequestFilter) =>
  infiniteQueryOptions({
    queryKey: ['requests', filter],
    queryFn: ({ pageParam, signal }) => {
      const page = pageParam === null ? { limit: firstPageSize } : { limit: laterPageSize, before: pageParam }
      return platform.listRequests({ query: { ...page, ...filterQuery(filter) }, signal })
    },
    initialPageParam: firstPage(),
    getNextPageParam: ({ next }) => next,
    // The stream keeps it current while it is shown; afterwards it is fetched again.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })

/** Percentiles of what the filter finds. */
export const requestTimesQuery = (platform: Platform, filter: RequestFilter) =>
  queryOptions({
    queryKey: ['request-times', filter],
    queryFn: ({ signal }) => platform.showRequestTimes({ query: filterQuery(filter), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })

export const requestQuery = (platform: Platform, request: string) =>
  queryOptions({
    queryKey: ['request', request],
    queryFn: ({ signal }) => platform.showRequest({ params: { request }, signal }),
    // A running request is refetched until it has ended.
    refetchInterval: ({ state: { data } }) => (data?.outcome === 'running' ? 1000 : false),
  })

/** They are written a moment after the request has ended. */
const writtenWithinMs = 5000

export const bodiesQuery = (platform: Platform, { id, endedAt }: Pick<ShownRequest, 'id' | 'endedAt'>) =>
  queryOptions({
    queryKey: ['request-bodies', id, endedAt],
    queryFn: ({ signal }) => platform.showRequestBodies({ params: { request: id }, signal }),
    refetchInterval: ({ state: { data } }) => {
      const isExpected = data !== undefined && data.days !== null && data.request === null
      return isExpected && endedAt !== null && Date.now() - endedAt < writtenWithinMs ? 1000 : false
    },
  })
