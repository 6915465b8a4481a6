import { queryOptions } from '@tanstack/react-query'
import type { Platform } from '../../platform/platform.ts'

export const noticesQuery = (platform: Platform, organisationId: string) =>
  queryOptions({
    queryKey: ['notices', organisationId],
    queryFn: ({ signal }) => platform.listNotices({ signal }),
    refetchInterval: 60_000,
    // A page works without them.
    retry: false,
    // Nor does the page turn to another organisation, while somebody types, because they noticed a switch in another tab.
    meta: { isInBackground: true },
  })
