import { usageSeries, usageUnits } from '../../../../src/platform/contract/usage-groups.ts'
import { choice, day, type ViewOf } from '../../address/view-fields.ts'

/** Days up to today. */
export const usagePresets = ['1', '7', '30', '90', '365'] as const
export const usageMetrics = ['tokens', 'requests', 'cost'] as const
export type UsageMetric = (typeof usageMetrics)[number]

export const usageView = {
  days: choice(usagePresets, '30'),
  /** Both, instead of `days`. */
  from: day(),
  to: day(),
  unit: choice(usageUnits, 'day'),
  by: choice(usageSeries, 'none'),
  show: choice(usageMetrics, 'tokens'),
  /** Days begin by the reader's clock unless it is the server's. */
  zone: choice(['', 'server'], ''),
  compare: choice(['', 'previous'], ''),
}
export type UsageView = ViewOf<typeof usageView>
