import { queryOptions } from '@tanstack/react-query'
import type { Platform } from '../../../platform/platform.ts'

/** Refetched while the page is visible, because limits per minute change quickly. */
export const limitsQuery = (platform: Platform) =>
  queryOptions({
    queryKey: ['limits'],
    queryFn: ({ signal }) => platform.showLimits({ signal }),
    refetchInterval: 5_000,
  })
