import { queryOptions } from '@tanstack/react-query'
import { platformGet } from '../../../platform/platform.ts'
import type { Account } from '../../../platform/types.ts'

export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: async ({ signal }) => (await platformGet<{ data: readonly Account[] }>('/admin/accounts', signal)).data,
})
