import { queryOptions } from '@tanstack/react-query'
import { platformGet } from '../../../platform/platform.ts'
import type { DeviceSession } from '../../../platform/types.ts'

export const sessionsKey = ['account', 'sessions'] as const

export const sessionsQuery = queryOptions({
  queryKey: sessionsKey,
  queryFn: ({ signal }) => platformGet<{ data: readonly DeviceSession[] }>('/account/sessions', signal),
})
