import { queryOptions } from '@tanstack/react-query'
import type { Platform } from '../../../platform/platform.ts'

export const textStorageQuery = (platform: Platform) =>
  queryOptions({ queryKey: ['organisation-bodies'], queryFn: ({ signal }) => platform.showBodyStorage({ signal }) })
