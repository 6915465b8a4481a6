import { queryOptions } from '@tanstack/react-query'
import type { Platform } from '../../../platform/platform.ts'

export const accountsQuery = (platform: Platform) =>
  queryOptions({
    queryKey: ['accounts'],
    queryFn: async ({ signal }) => (await platform.listAccounts({ signal })).data,
  })
