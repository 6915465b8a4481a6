import { dayText } from '../../base/day-text.ts'
import type { UsageTotals } from '../../store/ledger-contract.ts'
import { sumUsage } from '../../usage/summarise.ts'
import type { Usage, UsageFigures } from '../contract/usage.ts'
import { errorJson } from '../requests/error-json.ts'
import type { ReadUsage } from './read-usage.ts'

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

export const usageJson = (
  { unit, by, period, previous, source, slots, lines, names, rejected }: ReadUsage,
  { timeZone, currency }: { timeZone: string; currency: string },
): Usage => ({
  from: dayText(period.fromDay),
  to: dayText(period.toDay),
  timeZone: source.timeZone,
  serverTimeZone: timeZone,
  currency,
  unit,
  by,
  limited: source.limited,
  countedFrom: source.kind === 'totals' ? null : source.countedFrom,
  slots,
  data: lines.map(({ slot, series, now, before }) => ({
    slot,
    series:
      by === 'none'
        ? null
        : { id: series, name: names.get(series)?.name ?? null, lastFour: names.get(series)?.lastFour ?? null },
    previous: before === null ? null : totalsJson(before),
    ...totalsJson(now),
  })),
  total: totalsJson(sumUsage(lines.map(({ now }) => now))),
  rejected: {
    total: rejected.reduce((sum, { count }) => sum + count, 0),
    reasons: rejected.map(({ error, count }) => ({ error: errorJson(error), count })),
  },
  previous:
    previous === null
      ? null
      : {
          from: dayText(previous.fromDay),
          to: dayText(previous.toDay),
          total: totalsJson(sumUsage(lines.flatMap(({ before }) => before ?? []))),
        },
})
