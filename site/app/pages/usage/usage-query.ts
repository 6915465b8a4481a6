import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Usage } from '../../../../src/platform/contract/usage.ts'
import { platformGet } from '../../../platform/platform.ts'
import { type UsageView, usageParameters } from './usage-view.ts'

export const usageQuery = (view: UsageView) => {
  const parameters = usageParameters(view)
  return queryOptions({
    queryKey: ['usage', parameters],
    queryFn: ({ signal }) => platformGet<Usage>(`/usage?${parameters}`, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
}

/** The same as a file, created by the server. */
export const usageFile = (view: UsageView): string => `/platform/usage.csv?${usageParameters(view)}`
