import { queryOptions } from '@tanstack/react-query'
import type { Platform } from '../../../platform/platform.ts'

export const modelsQuery = (platform: Platform) =>
  queryOptions({
    queryKey: ['models'],
    queryFn: async ({ signal }) => (await platform.listModels({ signal })).data,
    refetchInterval: 3_000,
  })
