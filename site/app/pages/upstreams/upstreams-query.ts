import { queryOptions } from '@tanstack/react-query'
import type { Platform } from '../../../platform/platform.ts'

export const upstreamsQuery = (platform: Platform) =>
  queryOptions({
    queryKey: ['upstreams'],
    queryFn: async ({ signal }) => (await platform.listUpstreams({ signal })).data,
    refetchInterval: 3_000,
  })
