import { ApiError } from '../../base/api-error.ts'
import { dayOf } from '../../base/calendar.ts'
import type { Clock } from '../../base/clock.ts'
import { dayText } from '../../base/day-text.ts'
import type { Exchange } from '../../http/exchange.ts'
import { integerText, readQuery } from '../../http/read-query.ts'
import { object, optional } from '../../http/schema/containers.ts'
import { oneOf, string } from '../../http/schema/scalars.ts'
import type { UsageRecords, UsageRow } from '../../store/ledger-contract.ts'
import { type UsageGroup, usageGroups } from '../../usage/summarise.ts'
import { readPeriod, type UsagePeriod } from '../../usage/usage-period.ts'

export type UsageRooms = { usage: Pick<UsageRecords, 'rows'>; clock: Clock; timeZone: string }

/** What was asked for, and what the kept totals say to it. */
export type ReadUsage = { by: UsageGroup; period: UsagePeriod; rows: UsageRow[] }

const query = object({
  from: optional(string({ maxLength: 10 })),
  to: optional(string({ maxLength: 10 })),
  /** So many days up to today, by the server's calendar: a page need not know which day that is. */
  days: optional(integerText({ min: 1, max: 366 })),
  by: optional(oneOf(...usageGroups)),
})

export const readUsage = async (
  { request }: Exchange,
  organisationId: string,
  { usage, clock, timeZone }: UsageRooms,
): Promise<ReadUsage> => {
  const { by = 'day', days, from, to } = readQuery(request, query)
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
