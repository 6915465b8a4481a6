import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Usage, UsageGroup } from '../../../../src/platform/contract/usage.ts'
import { platformGet } from '../../../platform/platform.ts'

export const usageRanges = [7, 30, 90] as const
export type UsageRange = (typeof usageRanges)[number]

const queryText = (days: UsageRange, by: UsageGroup): string => `days=${days}&by=${by}`

export const usageQuery = (days: UsageRange, by: UsageGroup) =>
  queryOptions({
    queryKey: ['usage', days, by],
    queryFn: ({ signal }) => platformGet<Usage>(`/usage?${queryText(days, by)}`, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })

/** The same as a file, created by the server. */
export const usageFile = (days: UsageRange, by: UsageGroup): string => `/platform/usage.csv?${queryText(days, by)}`
