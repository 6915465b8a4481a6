import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Platform } from '../../../platform/platform.ts'

export const overviewQuery = (platform: Platform, days: number) =>
  queryOptions({
    queryKey: ['overview', days],
    queryFn: ({ signal }) => platform.showOverview({ query: { days }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })
