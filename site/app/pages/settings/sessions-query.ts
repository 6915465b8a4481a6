import type { DeviceSession } from '../../../platform/types.ts'
import { platformQuery } from '../../platform-query.ts'

export const sessionsKey = ['account', 'sessions'] as const

export const sessionsQuery = platformQuery<{ data: readonly DeviceSession[] }>(sessionsKey, '/account/sessions')
