import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { EventScope } from '../../../../src/webhooks/event-types.ts'
import type { Platform } from '../../../platform/platform.ts'
import { firstPage } from '../../first-page.ts'
import { webhookCalls } from './webhook-calls.ts'

export const webhooksQuery = (platform: Platform, scope: EventScope) =>
  queryOptions({
    queryKey: ['webhooks', scope],
    queryFn: ({ signal }) => webhookCalls(platform, scope).list({ signal }),
  })

/** What waits or is being sent changes by itself. */
export const deliveriesQuery = (platform: Platform, scope: EventScope, endpoint: string) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', scope, endpoint, 'deliveries'],
    queryFn: ({ pageParam, signal }) =>
      webhookCalls(platform, scope).deliveries({
        ...{ params: { endpoint }, query: pageParam === null ? {} : { before: pageParam }, signal },
      }),
    initialPageParam: firstPage(),
    getNextPageParam: ({ next }) => next,
    refetchInterval: 3_000,
  })
