import { dayText } from '../base/day-text.ts'
import type { UsageRow, UsageTotals } from '../store/ledger-contract.ts'
import { summariseUsage, sumUsage, totalTokens, type UsageGroup, type UsageSum } from './summarise.ts'
import type { UsagePeriod } from './usage-period.ts'

export const totalsJson = (totals: UsageTotals) => ({
  requests: totals.requests,
  failed_requests: totals.failed,
  client_closed_requests: totals.clientClosed,
  prompt_tokens: totals.promptTokens,
  cached_tokens: totals.cachedTokens,
  completion_tokens: totals.completionTokens,
  reasoning_tokens: totals.reasoningTokens,
  total_tokens: totalTokens(totals),
  estimated_requests: totals.estimated,
  cost_micros: totals.costMicros,
})

export type UsageTotalsJson = ReturnType<typeof totalsJson>

/** Has only the field it was grouped by. Without a key: the playground. */
type UsageSumJson = UsageTotalsJson & { object: 'usage'; day?: string; key_id?: string | null; model?: string }

const sumJson = (sum: UsageSum, by: UsageGroup): UsageSumJson => ({
  object: 'usage',
  ...(by === 'day' ? { day: dayText(sum.day) } : by === 'key' ? { key_id: sum.keyId } : { model: sum.model }),
  ...totalsJson(sum),
})

/** A list like all others, with its total. */
export const usageJson = (
  rows: readonly UsageRow[],
  { by, period, timeZone, currency }: { by: UsageGroup; period: UsagePeriod; timeZone: string; currency: string },
) => ({
  object: 'list' as const,
  from: dayText(period.fromDay),
  to: dayText(period.toDay),
  time_zone: timeZone,
  currency,
  group_by: by,
  data: summariseUsage(rows, by).map((sum) => sumJson(sum, by)),
  total: totalsJson(sumUsage(rows)),
})
