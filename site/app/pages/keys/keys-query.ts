import { queryOptions } from '@tanstack/react-query'
import { platformGet } from '../../../platform/platform.ts'
import type { Key } from '../../../platform/types.ts'

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await platformGet<{ data: Key[] }>('/keys', signal)).data,
})
