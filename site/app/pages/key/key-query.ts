import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { AuditPage } from '../../../../src/platform/contract/audit.ts'
import type { KeyDetails } from '../../../../src/platform/contract/keys.ts'
import { platformGet } from '../../../platform/platform.ts'
import { firstPage } from '../../first-page.ts'

export type { KeyDetails } from '../../../../src/platform/contract/keys.ts'

/** Below `keys`: what changes a key has the list and its page loaded again. */
export const keyQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', id],
    queryFn: ({ signal }) => platformGet<KeyDetails>(`/keys/${encodeURIComponent(id)}`, signal),
    refetchInterval: 15_000,
  })

export const keyEventsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['keys', id, 'events'],
    queryFn: ({ pageParam, signal }) =>
      platformGet<AuditPage>(
        `/keys/${encodeURIComponent(id)}/events${pageParam === null ? '' : `?before=${encodeURIComponent(pageParam)}`}`,
        signal,
      ),
    initialPageParam: firstPage(),
    getNextPageParam: ({ data, hasMore }) => (hasMore ? (data.at(-1)?.id ?? null) : null),
  })
