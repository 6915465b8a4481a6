import { defaultUsageView } from '../usage/usage-parameters.ts'
import type { UsageView } from '../usage/usage-view.ts'

/** The reader's day, in one sum. */
export const todayView: UsageView = { ...defaultUsageView, days: '1', unit: 'total', show: 'requests' }
