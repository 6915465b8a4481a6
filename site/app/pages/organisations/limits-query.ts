import { queryOptions } from '@tanstack/react-query'
import { platformGet } from '../../../platform/platform.ts'
import type { AdminLimits } from '../../../platform/types.ts'

export const limitsQuery = queryOptions({
  queryKey: ['admin-limits'],
  queryFn: ({ signal }) => platformGet<AdminLimits>('/admin/limits', signal),
})
