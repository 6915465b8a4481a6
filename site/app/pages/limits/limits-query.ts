import type { LimitsShown } from '../../../../src/platform/contract/limits.ts'
import { platformQuery } from '../../platform-query.ts'

/** Refetched while the page is visible, because limits per minute change quickly. */
export const limitsQuery = { ...platformQuery<LimitsShown>(['limits'], '/limits'), refetchInterval: 5_000 }
