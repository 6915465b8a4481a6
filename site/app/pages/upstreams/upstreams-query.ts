import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { UpstreamPeriod } from '../../../../src/platform/contract/upstream-periods.ts'
import type { Platform } from '../../../platform/platform.ts'

export const upstreamsQuery = (platform: Platform) =>
  queryOptions({
    queryKey: ['upstreams'],
    queryFn: async ({ signal }) => (await platform.listUpstreams({ signal })).data,
    refetchInterval: 3_000,
  })

/** The server writes figures every few seconds; nobody watches them as closely as the states. */
export const upstreamFiguresQuery = (platform: Platform, period: UpstreamPeriod) =>
  queryOptions({
    queryKey: ['upstream-figures', period],
    queryFn: ({ signal }) => platform.showUpstreamFigures({ query: { period }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })
