import { queryOptions } from '@tanstack/react-query'
import type { Platform } from '../../../platform/platform.ts'

export const nodesQuery = (platform: Platform) =>
  queryOptions({
    queryKey: ['nodes'],
    queryFn: async ({ signal }) => (await platform.listNodes({ signal })).data,
    refetchInterval: 5_000,
  })
