import { dayText } from '../../base/day-text.ts'
import type { ShownKey } from '../../keys/key-registry.ts'
import type { UsageTotals } from '../../store/ledger-contract.ts'
import { summariseUsage, sumUsage, type UsageGroup, type UsageSum } from '../../usage/summarise.ts'
import type { Usage, UsageFigures } from '../contract/usage.ts'
import type { ReadUsage } from './read-usage.ts'

/** The keys of the organisation, by id. */
export type NamedKeys = ReadonlyMap<string, Pick<ShownKey, 'name' | 'lastFour'>>

/** Averages are of the requests that got that far; null if none did. */
export const totalsJson = (totals: UsageTotals): UsageFigures => ({
  requests: totals.requests,
  failed: totals.failed,
  aborted: totals.clientClosed,
  promptTokens: totals.promptTokens,
  cachedTokens: totals.cachedTokens,
  completionTokens: totals.completionTokens,
  reasoningTokens: totals.reasoningTokens,
  firstTokenMs: average(totals.firstTokenMs, totals.firstTokens),
  durationMs: average(totals.durationMs, totals.requests),
  estimated: totals.estimated,
  costMicros: totals.costMicros,
})

const average = (sum: number, count: number): number | null => (count === 0 ? null : Math.round(sum / count))

/** Named by what it was grouped by. No key: the playground. */
const nameJson = ({ day, keyId, model }: UsageSum, by: UsageGroup, keys: NamedKeys) => {
  if (by === 'day') return { day: dayText(day) }
  if (by === 'model') return { model }
  const known = keyId === null ? undefined : keys.get(keyId)
  return { key: keyId === null ? null : { id: keyId, name: known?.name ?? null, lastFour: known?.lastFour ?? null } }
}

export const usageJson = (
  { rows, by, period }: ReadUsage,
  keys: NamedKeys,
  { timeZone, currency }: { timeZone: string; currency: string },
): Usage => ({
  from: dayText(period.fromDay),
  to: dayText(period.toDay),
  timeZone,
  currency,
  by,
  data: summariseUsage(rows, by).map((sum) => ({ ...nameJson(sum, by, keys), ...totalsJson(sum) })),
  total: totalsJson(sumUsage(rows)),
})
