import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Platform } from '../../../platform/platform.ts'
import { firstPage } from '../../first-page.ts'

export type { KeyDetails } from '../../../../src/platform/contract/keys.ts'

/** Below `keys`: what changes a key has the list and its page loaded again. */
export const keyQuery = (platform: Platform, key: string) =>
  queryOptions({
    queryKey: ['keys', key],
    queryFn: ({ signal }) => platform.showKey({ params: { key }, signal }),
    refetchInterval: 15_000,
  })

export const keyEventsQuery = (platform: Platform, key: string) =>
  infiniteQueryOptions({
    queryKey: ['keys', key, 'events'],
    queryFn: ({ pageParam, signal }) =>
      platform.listKeyEvents({ params: { key }, query: pageParam === null ? {} : { before: pageParam }, signal }),
    initialPageParam: firstPage(),
    getNextPageParam: ({ data, hasMore }) => (hasMore ? (data.at(-1)?.id ?? null) : null),
  })

/** The newest requests with this key. */
export const keyRequestsQuery = (platform: Platform, key: string, limit: number) =>
  queryOptions({
    queryKey: ['keys', key, 'requests'],
    queryFn: ({ signal }) => platform.listRequests({ query: { key, limit }, signal }),
    refetchInterval: 15_000,
  })
