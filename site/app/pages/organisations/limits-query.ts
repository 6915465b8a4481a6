import type { AdminLimits } from '../../../platform/types.ts'
import { platformQuery } from '../../platform-query.ts'

export const limitsQuery = platformQuery<AdminLimits>(['admin-limits'], '/admin/limits')
