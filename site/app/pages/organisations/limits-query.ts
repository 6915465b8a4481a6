import { queryOptions } from '@tanstack/react-query'
import type { Platform } from '../../../platform/platform.ts'

export const limitsQuery = (platform: Platform) =>
  queryOptions({ queryKey: ['admin-limits'], queryFn: ({ signal }) => platform.listOrganisationLimits({ signal }) })
