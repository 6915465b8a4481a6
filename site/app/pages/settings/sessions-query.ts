import { queryOptions } from '@tanstack/react-query'
import type { Platform } from '../../../platform/platform.ts'

export const sessionsKey = ['account', 'sessions'] as const

export const sessionsQuery = (platform: Platform) =>
  queryOptions({ queryKey: sessionsKey, queryFn: ({ signal }) => platform.listSessions({ signal }) })
