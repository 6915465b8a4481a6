import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { operationUrl, type Platform } from '../../../platform/platform.ts'
import { usageParameters } from './usage-parameters.ts'
import type { UsageView } from './usage-view.ts'

export const usageQuery = (platform: Platform, view: UsageView) => {
  const query = usageParameters(view)
  return queryOptions({
    queryKey: ['usage', query],
    queryFn: ({ signal }) => platform.showUsage({ query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
}

/** The hours of these days. They are counted from the requests themselves, so less often than the rest. */
export const hoursQuery = (platform: Platform, period: { from: string; to: string; zone: string }) => {
  const query = { ...period, unit: 'hour' as const }
  return queryOptions({
    queryKey: ['usage', query],
    queryFn: ({ signal }) => platform.showUsage({ query, signal }),
    staleTime: 300_000,
    refetchInterval: 300_000,
  })
}

/** The same as a file, created by the server. */
export const usageFile = (view: UsageView): string => operationUrl('exportUsage', { query: usageParameters(view) })
