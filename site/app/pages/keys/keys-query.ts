import { queryOptions } from '@tanstack/react-query'
import type { Platform } from '../../../platform/platform.ts'

export const keysQuery = (platform: Platform) =>
  queryOptions({ queryKey: ['keys'], queryFn: ({ signal }) => platform.listKeys({ signal }) })
