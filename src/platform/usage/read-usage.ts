import { ApiError } from '../../base/api-error.ts'
import { dayOf } from '../../base/calendar.ts'
import type { Clock } from '../../base/clock.ts'
import { dayText } from '../../base/day-text.ts'
import type { UsageRecords, UsageRow } from '../../store/ledger-contract.ts'
import type { UsageGroup } from '../../usage/summarise.ts'
import { readPeriod, type UsagePeriod } from '../../usage/usage-period.ts'
import type { UsageQuery } from '../contract/usage.ts'

export type UsageDependencies = { usage: Pick<UsageRecords, 'rows'>; clock: Clock; timeZone: string }

/** What was asked for, and the rows of totals that answer it. */
export type ReadUsage = { by: UsageGroup; period: UsagePeriod; rows: UsageRow[] }

export const readUsage = async (
  { by = 'day', days, from, to }: UsageQuery,
  organisationId: string,
  { usage, clock, timeZone }: UsageDependencies,
): Promise<ReadUsage> => {
  const now = clock.now()
  const asked = days === undefined ? { from, to } : lastDays(days, dayOf(now, timeZone))
  const read = readPeriod(asked, now, timeZone)
  if (read.outcome === 'refused')
    throw ApiError.of('refused_value', { path: read.field, reason: read.reason }, { param: read.field })
  return { by, period: read.period, rows: await usage.rows({ organisationId, ...read.period }) }
}

const lastDays = (days: number, today: number) => {
  const from = new Date(Date.parse(dayText(today)) - (days - 1) * 86_400_000)
  return { from: from.toISOString().slice(0, 10), to: dayText(today) }
}
